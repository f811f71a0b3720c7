package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.jedis.JedisNodes;
import io.holdfast.lease.ClientDescription;
import io.holdfast.lettuce.LettuceNodes;
import io.holdfast.node.NodeStatus;
import io.holdfast.security.ConnectionSecurity;
import io.holdfast.security.Credentials;
import io.holdfast.servers.Eventually;
import io.holdfast.spring.CurrentLease;
import io.holdfast.spring.HoldfastLock;
import io.holdfast.spring.HoldfastLockAdvisor;
import io.holdfast.spring.LeaseLostEvent;
import io.holdfast.spring.LockFactory;
import io.holdfast.spring.boot.actuate.HoldfastEndpointAutoConfiguration;
import io.holdfast.spring.boot.actuate.HoldfastHealthAutoConfiguration;
import io.holdfast.spring.boot.console.HoldfastConsoleAutoConfiguration;
import io.holdfast.spring.boot.metrics.HoldfastMetricsAutoConfiguration;
import io.holdfast.spring.boot.metrics.HoldfastObservationAutoConfiguration;
import io.holdfast.spring.leader.LeaderLifecycle;
import io.holdfast.spring.leader.OnlyLeader;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Tests the beans of an application, whose nodes are in memory. */
class HoldfastAutoConfigurationTest {

    private final MemoryNodes nodes = new MemoryNodes();
    private final ApplicationContextRunner empty = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    HoldfastAutoConfiguration.class, AopAutoConfiguration.class, SslAutoConfiguration.class))
            .withBean(MemoryNodes.class, () -> nodes);
    private final ApplicationContextRunner single = empty.withPropertyValues("holdfast.nodes=redis://a:6379");

    /** A bean with a lock. */
    static class Shop {
        @HoldfastLock("order:#{#id}")
        public String ship(String id) {
            return CurrentLease.get().resource();
        }
    }

    /** Methods on which a lock cannot work. */
    static class WrongShop {
        @HoldfastLock("order")
        public final void ship() {}
    }

    @Test
    void properties_all_reachTheClient() {
        empty.withPropertyValues(
                        "holdfast.nodes=redis://a:6379,redis://b:6379,redis://c:6379",
                        "holdfast.username=app",
                        "holdfast.password=secret",
                        "holdfast.max-lease=40s",
                        "holdfast.restarts=durable",
                        "holdfast.strict-fences=true",
                        "holdfast.connect-timeout=3s",
                        "holdfast.replicas=1")
                .run(context -> {
                    Holdfast holdfast = context.getBean(Holdfast.class);
                    assertThat(nodes.addresses()).containsExactly("redis://a:6379", "redis://b:6379", "redis://c:6379");
                    assertThat(holdfast.options().maxLease()).isEqualTo(Duration.ofSeconds(40));
                    assertThat(holdfast.options().restarts()).isEqualTo(RestartPolicy.DURABLE);
                    assertThat(holdfast.options().strictFences()).isTrue();
                    assertThat(holdfast.options().connectTimeout()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(holdfast.options().replicas()).isEqualTo(1);
                    assertThat(Objects.requireNonNull(
                                            nodes.settings().security().credentials())
                                    .get())
                            .isEqualTo(new Credentials("app", "secret"));
                });
    }

    @Test
    void properties_previousNodes_areAsked() {
        single.withPropertyValues("holdfast.previous-nodes=redis://b:6379", "holdfast.previous-max-lease=40s")
                .run(context -> {
                    Holdfast holdfast = context.getBean(Holdfast.class);
                    assertThat(holdfast.nodes()).hasSize(1);
                    assertThat(holdfast.previousNodes()).hasSize(1);
                    assertThat(nodes.addresses()).containsExactly("redis://a:6379", "redis://b:6379");
                    assertThat(nodes.settings().config().maxLease()).isEqualTo(Duration.ofSeconds(40));
                    assertThat(context.getBean(LockFactory.class).options("any").lease())
                            .isEqualTo(Duration.ofSeconds(30));
                });
    }

    @Test
    void properties_none_areTheDefaultsOfTheLibrary() {
        single.run(context -> {
            assertThat(context.getBean(Holdfast.class).options()).hasToString(HoldfastOptions.DEFAULT.toString());
            assertThat(context.getBean(LockFactory.class).options("any")).isEqualTo(LockOptions.DEFAULT);
            assertThat(nodes.settings().security()).isEqualTo(ConnectionSecurity.DEFAULT);
            assertThat(context.getBean(HoldfastProperties.class).toString()).doesNotContain("redis:");
            assertThat(context.getBean(HoldfastLockAdvisor.class).getOrder())
                    .isEqualTo(HoldfastLockAdvisor.DEFAULT_ORDER);
            assertThat(context.getBean(HoldfastProperties.class).annotation().order())
                    .isEqualTo(HoldfastLockAdvisor.DEFAULT_ORDER);
        });
    }

    @Test
    void name_ofTheApplicationOrTheProperty_isThatOfTheClient() {
        String application = "spring.application.name=orders";
        single.withPropertyValues(application)
                .run(context -> assertThat(
                                context.getBean(Holdfast.class).options().name())
                        .contains("orders@" + ClientDescription.host()));
        single.withPropertyValues(application, "holdfast.name=shop")
                .run(context -> assertThat(
                                context.getBean(Holdfast.class).options().name())
                        .contains("shop"));
        single.withPropertyValues(application, "holdfast.name=")
                .run(context -> assertThat(
                                context.getBean(Holdfast.class).options().name())
                        .contains(""));
        single.run(context ->
                assertThat(context.getBean(Holdfast.class).options().name()).contains(ClientDescription.defaultName()));
    }

    /** An exclusion switches Holdfast off. The application may have a client of its own then. */
    @Test
    void start_withoutThisConfiguration_needsNoneOfItsBeans() {
        ApplicationContextRunner others = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        HoldfastMetricsAutoConfiguration.class,
                        HoldfastObservationAutoConfiguration.class,
                        HoldfastHealthAutoConfiguration.class,
                        HoldfastEndpointAutoConfiguration.class,
                        HoldfastConsoleAutoConfiguration.class))
                .withBean(SimpleMeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(ObservationRegistry.class, ObservationRegistry::create)
                .withPropertyValues("management.endpoints.web.exposure.include=*");

        others.run(context -> assertThat(context).hasNotFailed());
        others.withBean(
                        Holdfast.class,
                        () -> Holdfast.connect(List.of("redis://a:6379"), HoldfastOptions.DEFAULT, nodes))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void locks_group_hasItsOptionsOverThoseOfAllLocks() {
        single.withPropertyValues(
                        "holdfast.lock.wait-limit=5s",
                        "holdfast.lock.fair=true",
                        "holdfast.locks.order.wait-limit=1s",
                        "holdfast.locks.order.node-timeout=20ms",
                        "holdfast.locks.slow.wait-limit=forever")
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource(
                                "colon", Map.of("holdfast.locks[order:express].wait-limit", "2s"))))
                .run(context -> {
                    LockFactory locks = context.getBean(LockFactory.class);
                    assertThat(locks.options("stock:1").waitLimit()).isEqualTo(Duration.ofSeconds(5));
                    assertThat(locks.options("order:1").waitLimit()).isEqualTo(Duration.ofSeconds(1));
                    assertThat(locks.options("order:1").nodeTimeout()).isEqualTo(Duration.ofMillis(20));
                    assertThat(locks.options("order:1").fair()).isTrue();
                    assertThat(locks.options("order").waitLimit()).isEqualTo(Duration.ofSeconds(1));
                    assertThat(locks.options("slow:1").waitLimit()).isEqualTo(LockOptions.FOREVER);
                    assertThat(locks.options("orders:1").waitLimit()).isEqualTo(Duration.ofSeconds(5));
                    assertThat(locks.options("order:express:1").waitLimit()).isEqualTo(Duration.ofSeconds(2));
                });
    }

    @Test
    void annotation_method_isLockedUnderThePrefix() {
        single.withBean(Shop.class)
                .withPropertyValues("holdfast.prefix=shop:")
                .run(context ->
                        assertThat(context.getBean(Shop.class).ship("7")).isEqualTo("shop:order:7"));
    }

    /** A bean with a job of the leader. */
    static class Reports {
        int runs;

        @OnlyLeader("reports")
        public void run() {
            runs++;
        }

        int runs() {
            return runs;
        }
    }

    /** Records what an application publishes. */
    static class Losses {
        final List<LeaseLostEvent> seen = new CopyOnWriteArrayList<>();

        @EventListener
        void lost(LeaseLostEvent event) {
            seen.add(event);
        }
    }

    @Test
    void leaseLost_lazyInitialization_isPublished() {
        single.withInitializer(HoldfastAutoConfigurationTest::initializeLazily)
                .withBean(Losses.class)
                .run(context -> {
                    Lease lease = context.getBean(LockFactory.class)
                            .lock("x")
                            .tryAcquire()
                            .orElseThrow();
                    lease.limit(Duration.ZERO);
                    Eventually.eventually(
                            "the loss is published",
                            () -> !context.getBean(Losses.class).seen.isEmpty());
                });
    }

    /** Spring passes the events of a context on to its parent. */
    @Test
    void leaseLost_contextWithParent_isOneEventOfEach() {
        ApplicationContextRunner both = single.withBean(Losses.class);
        both.run(parent -> both.withParent(parent).run(child -> {
            assertThat(child.getBean(Holdfast.class)).isSameAs(parent.getBean(Holdfast.class));
            for (String resource : List.of("x", "y")) {
                child.getBean(Holdfast.class).lock(resource).acquire().limit(Duration.ZERO);
                for (ApplicationContext context : List.of(parent, child)) {
                    Eventually.eventually(
                            "the loss is published", () -> resources(context).contains(resource));
                }
            }

            assertThat(resources(parent)).containsExactly("x", "y");
            assertThat(resources(child)).containsExactly("x", "y");
        }));
    }

    private static List<String> resources(ApplicationContext context) {
        return context.getBean(Losses.class).seen.stream()
                .map(LeaseLostEvent::resource)
                .toList();
    }

    @Test
    void leader_contextWithParent_usesTheCandidateOfTheParent() {
        ApplicationContextRunner both = single.withPropertyValues("holdfast.leader.roles=reports");
        both.run(parent -> both.withParent(parent).withBean(Reports.class).run(child -> {
            LeaderLifecycle candidate = parent.getBean(LeaderLifecycle.class);
            Eventually.eventually("the process leads", candidate::isLeader);
            child.getBean(Reports.class).run();

            assertThat(child.getBean(LeaderLifecycle.class)).isSameAs(candidate);
            assertThat(child.getBean(Reports.class).runs()).isEqualTo(1);
        }));
    }

    /** Does what {@code SpringApplication} does for {@code spring.main.lazy-initialization}. */
    private static void initializeLazily(ConfigurableApplicationContext context) {
        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor());
    }

    @Test
    void annotation_order_isThatOfTheProperty() {
        single.withPropertyValues("holdfast.annotation.order=7")
                .run(context -> assertThat(
                                context.getBean(HoldfastLockAdvisor.class).getOrder())
                        .isEqualTo(7));
    }

    @Test
    void leader_roles_areCandidates() {
        single.withPropertyValues("holdfast.leader.roles=reports,mails").run(context -> {
            assertThat(context.getBeansOfType(LeaderLifecycle.class).values())
                    .extracting(LeaderLifecycle::role)
                    .containsExactlyInAnyOrder("reports", "mails");
            assertThat(context.getBeansOfType(LeaderLifecycle.class).values()).allMatch(LeaderLifecycle::isRunning);
        });
    }

    @Test
    void client_ofTheApplication_isUsedInstead() {
        Holdfast own = Holdfast.connect(List.of("redis://own:6379"), HoldfastOptions.DEFAULT, new MemoryNodes());
        empty.withBean("own", Holdfast.class, () -> own).run(context -> {
            assertThat(context.getBean(Holdfast.class)).isSameAs(own);
            assertThat(nodes.addresses()).isEmpty();
        });
    }

    @Test
    void client_name_choosesTheRedisClient() {
        single.withPropertyValues("holdfast.client=jedis")
                .run(context -> assertThat(nodes.replaced()).isInstanceOf(JedisNodes.class));
        single.withPropertyValues("holdfast.client=lettuce")
                .run(context -> assertThat(nodes.replaced()).isInstanceOf(LettuceNodes.class));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "holdfast.client=jedis|The Redis client of holdfast.client=jedis is not on the class path",
                "holdfast.prefix=shop:|No Redis client for Holdfast is on the class path"
            })
    void client_isNotOnTheClassPath_isNamed(String property, String message) {
        FilteredClassLoader without =
                new FilteredClassLoader(new ClassPathResource("META-INF/services/io.holdfast.node.NodeProvider"));

        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(HoldfastAutoConfiguration.class))
                .withClassLoader(without)
                .withPropertyValues("holdfast.nodes=redis://127.0.0.1:1", property)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining(message));
    }

    @Test
    void customizer_options_areAppliedLast() {
        single.withPropertyValues("holdfast.replicas=1")
                .withBean(HoldfastOptionsCustomizer.class, () -> options -> options.replicas(2))
                .run(context -> assertThat(
                                context.getBean(Holdfast.class).options().replicas())
                        .isEqualTo(2));
    }

    @Configuration(proxyBeanMethods = false)
    static class Containers {
        @Bean
        HoldfastConnectionDetails first() {
            return container("redis://c1:1");
        }

        @Bean
        HoldfastConnectionDetails second() {
            return container("redis://c2:2");
        }

        @Bean
        HoldfastConnectionDetails third() {
            return container("redis://c3:3");
        }

        private static HoldfastConnectionDetails container(String address) {
            return new HoldfastConnectionDetails() {
                @Override
                public List<String> nodes() {
                    return List.of(address);
                }

                @Override
                public boolean isNew() {
                    return true;
                }
            };
        }
    }

    @Test
    void connectionDetails_newServers_areOneQuorumThatVotesAtOnce() {
        single.withUserConfiguration(Containers.class).run(context -> {
            assertThat(nodes.addresses()).containsExactly("redis://c1:1", "redis://c2:2", "redis://c3:3");
            assertThat(context.getBean(Holdfast.class).admin().standings(Duration.ofSeconds(10)))
                    .allMatch(NodeStatus::votes);
            assertThat(context.getBean(LockFactory.class).lock("x").tryAcquire())
                    .isPresent();
        });
    }

    /** The properties describe the nodes of another environment. */
    @Test
    void connectionDetails_credentialsAndCertificatesOfTheProperties_areIgnored() {
        single.withUserConfiguration(Containers.class)
                .withPropertyValues(
                        "holdfast.username=app", "holdfast.password=secret", "holdfast.ssl.bundle=of-production")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(nodes.addresses()).hasSize(3);
                    assertThat(nodes.settings().security()).isEqualTo(ConnectionSecurity.DEFAULT);
                });
    }

    @Test
    void start_noNodes_isExplained() {
        empty.run(context -> assertThat(analysis(context).getDescription()).contains("No node is configured"));
        empty.run(context -> assertThat(analysis(context).getAction()).contains("holdfast.nodes"));
    }

    @Test
    void start_wrongAddress_isExplainedWithoutThePassword() {
        empty.withPropertyValues("holdfast.nodes=redis://user:sec ret@a:6379")
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("The 1st address is not valid")
                        .doesNotContain("ret"));
    }

    @Test
    void start_emptyOrRepeatedRole_isExplainedOrIgnored() {
        single.withPropertyValues("holdfast.leader.roles=reports,,")
                .run(context -> assertThat(analysis(context).getAction()).contains("Remove the comma"));
        single.withPropertyValues("holdfast.leader.roles=reports, reports")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void start_userWithoutPassword_isExplained() {
        empty.withPropertyValues("holdfast.nodes=redis://a:6379", "holdfast.username=app")
                .run(context -> assertThat(analysis(context).getAction()).contains("Set holdfast.password as well"));
    }

    @Test
    void start_wrongOptions_areExplained() {
        single.withPropertyValues("holdfast.locks.order.lease=20s", "holdfast.locks.order.hold-limit=5s")
                .run(context -> assertThat(analysis(context).getAction()).contains("holdfast.locks.order.*"));
    }

    @Test
    void start_defaultLeaseBeyondMaxLease_isExplained() {
        ApplicationContextRunner brief = single.withPropertyValues("holdfast.max-lease=10s");
        brief.run(context -> {
            assertThat(analysis(context).getDescription()).contains("30000 ms").contains("10000 ms");
            assertThat(analysis(context).getAction())
                    .contains("Set holdfast.lock.lease to at most 10000ms")
                    .contains("raise holdfast.max-lease");
        });
        brief.withPropertyValues("holdfast.lock.lease=10s")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void start_leaseOfGroupBeyondMaxLease_isExplained() {
        single.withPropertyValues("holdfast.locks.order.lease=2m")
                .run(context -> assertThat(analysis(context).getAction())
                        .contains("Set holdfast.locks.order.lease to at most 60000ms"));
    }

    @Test
    void start_methodThatCannotWork_isExplained() {
        single.withBean(WrongShop.class).run(context -> {
            assertThat(analysis(context).getDescription())
                    .contains("WrongShop.ship")
                    .contains("it is final");
            assertThat(analysis(context).getAction()).isEqualTo("Remove 'final'.");
        });
    }

    @Test
    void start_certificatesWithoutTls_areRejected() {
        single.withPropertyValues(
                        "holdfast.ssl.bundle=own", "spring.ssl.bundle.pem.own.truststore.certificate=classpath:ca.pem")
                .run(context -> assertThat(analysis(context).getDescription()).contains("does not use TLS"));
    }

    @Test
    void ssl_bundle_isThatOfTheConnections() {
        empty.withPropertyValues(
                        "holdfast.nodes=rediss://a:6379",
                        "holdfast.ssl.bundle=own",
                        "spring.ssl.bundle.pem.own.truststore.certificate=classpath:ca.pem")
                .run(context ->
                        assertThat(nodes.settings().security().trustManagers()).isNotNull());
    }

    private static FailureAnalysis analysis(AssertableApplicationContext context) {
        Throwable failure = Objects.requireNonNull(context.getStartupFailure());
        SpringFactoriesLoader.FailureHandler othersNeedArguments = (type, name, cause) -> {};
        return SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, othersNeedArguments)
                .stream()
                .filter(analyzer -> analyzer.getClass().getPackageName().startsWith("io.holdfast"))
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError(failure));
    }

    @Test
    void hints_nativeImage_containScriptsAndClients() throws IOException {
        RuntimeHints hints = new RuntimeHints();

        new HoldfastRuntimeHints().registerHints(hints, getClass().getClassLoader());

        assertThat(RuntimeHintsPredicates.resource().forResource("io/holdfast/redis/script/acquire.lua"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.resource().forResource("io/holdfast/redis/script/lib/fence_check.lua"))
                .accepts(hints);
        assertThat(textsOfTheNodes())
                .hasSizeGreaterThan(20)
                .allMatch(text ->
                        RuntimeHintsPredicates.resource().forResource(text).test(hints));
        assertThat(RuntimeHintsPredicates.resource().forResource("META-INF/services/io.holdfast.node.NodeProvider"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(LettuceNodes.class))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(JedisNodes.class)).accepts(hints);
    }

    /** Returns all files beside the classes of the nodes, so that a new directory of them needs a hint. */
    private static List<String> textsOfTheNodes() throws IOException {
        PathMatchingResourcePatternResolver resolver = new PathMatchingResourcePatternResolver();
        List<String> texts = new ArrayList<>();
        for (Resource found : resolver.getResources("classpath*:io/holdfast/redis/**/*.*")) {
            String url = found.getURL().toString();
            if (!url.endsWith(".class") && !url.contains("-tests.jar")) {
                texts.add(url.substring(url.indexOf("io/holdfast/redis/")));
            }
        }
        return texts;
    }
}
