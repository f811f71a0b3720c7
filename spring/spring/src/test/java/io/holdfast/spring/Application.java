package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.record.LockRecord;
import io.holdfast.spring.leader.EnableHoldfastLeaders;
import io.holdfast.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** An application of a test, whose locks are on a node in memory. Code that blocks needs real time. */
public final class Application implements AutoCloseable {

    private static final String CLIENT = "client";

    private final SystemTime time = new SystemTime();
    private final InMemoryNode node = new InMemoryNode("a", time);
    private final Holdfast elsewhere = Holdfast.forTesting(List.of(node), time, new Random(1));
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private final Transactions transactions = new Transactions(this);
    private final ObservedCalls observed = new ObservedCalls();

    /** Starts an application with these beans. */
    public static Application of(Class<?>... beans) {
        return new Application().with(beans);
    }

    /** Starts an application whose node does not vote. */
    static Application withoutVotes(Class<?>... beans) {
        Application application = new Application();
        InMemoryNode quarantined = InMemoryNode.guarded("b", application.time);
        application.context.registerBean(
                CLIENT,
                Holdfast.class,
                () -> Holdfast.over(
                        List.of(quarantined),
                        HoldfastOptions.builder()
                                .restarts(RestartPolicy.QUARANTINE)
                                .build(),
                        application.time,
                        new Random(2)));
        return application.with(beans);
    }

    /** Starts an application with this property. */
    public static Application withProperty(String name, Object value, Class<?>... beans) {
        Application application = new Application();
        application
                .context
                .getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("of the test", Map.of(name, value)));
        return application.with(beans);
    }

    /** Starts an application that has no class whose name begins with this prefix. */
    static Application withoutClasses(String prefix, Class<?>... beans) {
        Application application = new Application();
        application.context.setClassLoader(new ClassLoader(Application.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (name.startsWith(prefix)) {
                    throw new ClassNotFoundException(name);
                }
                return super.loadClass(name, resolve);
            }
        });
        return application.with(beans);
    }

    private Application with(Class<?>... beans) {
        Map<String, Object> properties = Map.of("shop.name", "north", "shop.limit", "20s");
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        if (!context.containsBeanDefinition(CLIENT)) {
            context.registerBean(CLIENT, Holdfast.class, () -> Holdfast.forTesting(List.of(node), time, new Random(2)));
        }
        context.registerBean(
                LockFactory.class, () -> new LockFactory(context.getBean(Holdfast.class), "", name -> OPTIONS));
        context.registerBean(PlatformTransactionManager.class, () -> transactions);
        context.registerBean(ObservedCalls.class, () -> observed);
        context.register(Enabled.class);
        context.register(beans);
        try {
            context.refresh();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        return this;
    }

    private static final LockOptions OPTIONS =
            LockOptions.builder().waitLimit(Duration.ofMillis(50)).build();

    @Configuration(proxyBeanMethods = false)
    @EnableHoldfastLocks
    @EnableHoldfastLeaders
    @EnableTransactionManagement
    static class Enabled {}

    /** Returns the bean of this type. */
    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Returns the bean of this name and type. */
    public <T> T bean(String name, Class<T> type) {
        return context.getBean(name, type);
    }

    /** Acquires a lock as another process. */
    public Lease holdElsewhere(String resource) {
        try {
            return elsewhere.lock(resource).acquire();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns {@code true} if the node keeps the lock for any client. */
    public boolean isHeld(String resource) {
        return node.ownerOf(resource) != null;
    }

    /** Returns the record beside a lock. */
    public LockRecord record(String resource) {
        return elsewhere.admin().record(resource);
    }

    /** Takes a lock away; its holder notices that later. */
    public void evict(String resource) {
        node.evict(resource);
    }

    /** Runs a body in a transaction. */
    public <T> @Nullable T inTransaction(Supplier<T> body) {
        return transaction().execute(status -> body.get());
    }

    InMemoryNode node() {
        return node;
    }

    /** Returns what the application has observed, in order. */
    List<String> observed() {
        return observed.entries();
    }

    Transactions transactions() {
        return transactions;
    }

    TransactionTemplate transaction() {
        return new TransactionTemplate(transactions);
    }

    /** Stops the application as the end of its process does. */
    @Override
    public void close() {
        context.close();
        elsewhere.close();
        time.close();
    }

    /** Transactions without a database, which record what they do. */
    static final class Transactions extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        private final transient Application application;
        private String last = "";
        private transient BooleanSupplier observation = () -> false;
        private boolean observed;

        Transactions(Application application) {
            this.application = application;
        }

        void observeAtCommit(String resource) {
            observation = () -> application.isHeld(resource);
        }

        boolean wasHeldAtCommit() {
            return observed;
        }

        String last() {
            return last;
        }

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            last = "begun";
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            observed = observation.getAsBoolean();
            last = "committed";
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            last = "rolled back";
        }
    }
}
