package io.holdfast.test;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.admin.LockAdmin;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Locks for the tests of an application, in memory by default, and on redis-servers on request.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final HoldfastExtension locks = HoldfastExtension.inMemory();
 * }</pre>
 *
 * <p>In a static field, or by {@link HoldfastTest}, the nodes and the application's {@link #holdfast} exist for a
 * class; in a field of the instance, for one test. After each test all locks are taken away. A test cancels its waits
 * and closes its elections; otherwise they take a lock in the next test of the class. Records of locks stay until their
 * time is over, or until the extension ends.
 *
 * <p>With {@link HoldfastTest} on a class of Spring's tests, such as one with {@code @SpringBootTest}, the nodes and
 * the client are beans of the application, and last as long as Spring keeps its context.
 *
 * <p>Nodes vote at once after a flush or a restart, which is unsafe in production. Time is real: a wait for a lock that
 * stays held takes as long as its limit.
 *
 * <p>Thread-safe, except that tests which share an extension must not run at the same time.
 */
public final class HoldfastExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {

    /** Fails if the lock is held, but waits for servers, which are slow on a busy machine. */
    private static final LockOptions ELSEWHERE = LockOptions.builder()
            .waitLimit(Duration.ZERO)
            .nodeTimeout(Duration.ofSeconds(10))
            .build();

    private static final int MAX_SERVERS = 9;

    private final IntFunction<LockNodes> starter;
    private @Nullable Integer servers;
    /**
     * The classes and tests that use the nodes. JUnit also ends those whose beginning another extension has prevented.
     */
    private final Set<String> users = new HashSet<>();

    private @Nullable LockNodes nodes;
    private @Nullable Holdfast application;
    private @Nullable Holdfast elsewhere;

    /** Creates an extension as {@link HoldfastTest} describes it, in memory without that annotation. JUnit calls it. */
    public HoldfastExtension() {
        this.starter = HoldfastExtension::start;
    }

    private HoldfastExtension(int servers) {
        this(servers, HoldfastExtension::start);
    }

    /** Creates an extension whose nodes the function starts; 0 servers: in memory. */
    HoldfastExtension(int servers, IntFunction<LockNodes> starter) {
        this.servers = servers;
        this.starter = starter;
    }

    /** Returns an extension with one node in memory. */
    public static HoldfastExtension inMemory() {
        return new HoldfastExtension(0);
    }

    /**
     * Returns an extension that starts redis-servers, each of which is a node. Needs {@code holdfast-servers}, and
     * {@code holdfast-lettuce} or {@code holdfast-jedis}, on the class path.
     *
     * @param count from 1 to 9
     * @throws IllegalArgumentException if the number is out of range
     */
    public static HoldfastExtension onServers(int count) {
        if (count < 1 || count > MAX_SERVERS) {
            throw new IllegalArgumentException(
                    "servers " + count + " is out of range; give 1 to " + MAX_SERVERS + ", or use a node in memory");
        }
        return new HoldfastExtension(count);
    }

    /**
     * Returns the client for the application under test. It is closed with the extension; closing it earlier makes
     * later tests fail.
     *
     * @throws IllegalStateException if no test of the extension runs
     */
    public synchronized Holdfast holdfast() {
        return running(application);
    }

    /**
     * Returns the addresses of the servers, for an application that connects by itself.
     *
     * @throws IllegalStateException if no test of the extension runs, or if the node is in memory
     */
    public synchronized List<String> addresses() {
        List<String> addresses = running(nodes).addresses();
        if (addresses.isEmpty()) {
            throw new IllegalStateException("The node of this test is in memory; use onServers, or servers = 1");
        }
        return addresses;
    }

    /**
     * Takes the lock as another process would. The application does not get it until the lease is closed or the test
     * ends.
     *
     * @throws IllegalStateException if the lock is held already, or if the thread is interrupted
     */
    public synchronized Lease heldElsewhere(String resource) {
        Holdfast other = elsewhere == null ? running(nodes).connect() : elsewhere;
        elsewhere = other;
        try {
            return other.lock(resource, ELSEWHERE).acquire();
        } catch (LockTimeoutException held) {
            throw new IllegalStateException(
                    "'" + resource + "' is held already; release it, or take it away first", held);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while '" + resource + "' was acquired", e);
        }
    }

    /**
     * Takes the lock away from its holder at once, as an administrator who breaks it. A lease of the client {@link
     * #holdfast} is lost when this method returns or within milliseconds of it, and its callbacks run. A lease of
     * another client, such as one that the application connects by itself, is lost at its next renewal. Without a
     * holder, this method has no effect.
     */
    public void takeAway(String resource) {
        holdfast().admin().breakLock(resource);
    }

    /** Returns {@code true} if the lock is held at this moment, by the application or elsewhere. Asks the nodes. */
    public boolean isHeld(String resource) {
        return holdfast().admin().status(resource).held().isPresent();
    }

    private static <T> T running(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("No test of this extension runs; register it in a field with"
                    + " @RegisterExtension, or annotate the class with @HoldfastTest; a class with one instance for all"
                    + " tests is constructed earlier, so give its methods the parameter");
        }
        return part;
    }

    /** Starts the nodes for a class. JUnit calls it. */
    @Override
    public void beforeAll(ExtensionContext context) {
        requireSameServers(context);
        begin(context);
    }

    /** Starts the nodes for a test, unless they run for its class. JUnit calls it. */
    @Override
    public void beforeEach(ExtensionContext context) {
        begin(context);
    }

    /** Takes all locks away. JUnit calls it. */
    @Override
    public void afterEach(ExtensionContext context) {
        try {
            releaseAll();
        } finally {
            end(context);
        }
    }

    /** Stops the nodes of a class. JUnit calls it. */
    @Override
    public void afterAll(ExtensionContext context) {
        end(context);
    }

    /** A class, its nested classes and its tests share one extension, which runs until the last of them ends. */
    private synchronized void begin(ExtensionContext context) {
        // Spring may have started the application again since the last test.
        if (users.isEmpty() || nodes instanceof NodesOfSpring) {
            LockNodes started = NodesOfSpring.areUsedBy(context)
                    ? NodesOfSpring.Finder.find(context)
                    : starter.apply(servers == null ? annotated(context) : servers);
            try {
                application = started.application();
            } catch (RuntimeException e) {
                started.close();
                throw e;
            }
            nodes = started;
        }
        users.add(context.getUniqueId());
    }

    /** JUnit registers an extension once, so the annotation of a nested class has no extension of its own. */
    private synchronized void requireSameServers(ExtensionContext context) {
        int wanted = annotated(context);
        int started = nodes == null ? 0 : nodes.addresses().size();
        if (!users.isEmpty() && wanted > 0 && wanted != started) {
            throw new IllegalStateException("servers " + wanted + " of "
                    + context.getRequiredTestClass().getSimpleName() + " differs from the "
                    + started + " of the class around it, whose nodes it shares; give both the same number,"
                    + " or make it a class of its own");
        }
    }

    static LockNodes start(int servers) {
        return servers == 0 ? new NodesInMemory() : NodesOnServers.start(servers);
    }

    private static int annotated(ExtensionContext context) {
        Class<?> tests = context.getRequiredTestClass();
        int count = AnnotationSupport.findAnnotation(tests, HoldfastTest.class)
                .map(HoldfastTest::servers)
                .orElse(0);
        if (count < 0 || count > MAX_SERVERS) {
            throw new IllegalArgumentException("servers " + count + " of " + tests.getSimpleName()
                    + " is out of range; give 1 to " + MAX_SERVERS + ", or 0 for a node in memory");
        }
        return count;
    }

    private synchronized void releaseAll() {
        closeElsewhere();
        if (!users.isEmpty() && running(nodes).isOpen()) {
            LockAdmin admin = holdfast().admin();
            admin.list().forEach(lock -> admin.breakLock(lock.resource()));
        }
    }

    private void closeElsewhere() {
        if (elsewhere != null) {
            elsewhere.close();
            elsewhere = null;
        }
    }

    private synchronized void end(ExtensionContext context) {
        if (users.remove(context.getUniqueId()) && users.isEmpty()) {
            stop();
        }
    }

    private void stop() {
        LockNodes stopped = running(nodes);
        Holdfast client = running(application);
        nodes = null;
        application = null;
        try {
            closeElsewhere();
        } finally {
            stopped.end(client);
        }
    }

    /**
     * Returns {@code true} for parameters of the types {@code Holdfast} and {@code HoldfastExtension}, unless the
     * parameter or its constructor has an annotation, such as Spring's {@code @Autowired}: then it belongs to another
     * extension. JUnit calls it.
     */
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == HoldfastExtension.class || (type == Holdfast.class && !isAnnotated(parameter));
    }

    private static boolean isAnnotated(ParameterContext parameter) {
        return parameter.getParameter().getAnnotations().length > 0
                || (parameter.getDeclaringExecutable() instanceof Constructor<?> constructor
                        && constructor.getAnnotations().length > 0);
    }

    /** Returns {@link #holdfast} or this extension. JUnit calls it. */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Holdfast.class ? holdfast() : this;
    }
}
