package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.jobs.JobOverview;
import io.holdfast.spring.boot.actuate.HoldfastHealthIndicator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Tests locks in the memory of the application. */
class NodesInMemoryTest {

    private static final Logger LOGGER = Logger.getLogger(NodesInMemory.class.getName());

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(HoldfastAutoConfiguration.class))
            .withPropertyValues("holdfast.nodes=memory:");

    private final List<LogRecord> log = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            log.add(entry);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        LOGGER.addHandler(handler);
        LOGGER.setLevel(Level.ALL);
    }

    @AfterEach
    void stop() {
        LOGGER.removeHandler(handler);
        LOGGER.setLevel(null);
    }

    @Test
    void start_inMemory_locksWithoutARedisClientAndWarns() {
        application
                .withClassLoader(new FilteredClassLoader("io.lettuce", "redis.clients", "io.holdfast.lettuce"))
                .run(context -> {
                    Holdfast holdfast = context.getBean(Holdfast.class);
                    try (Lease lease = holdfast.lock("a").acquire()) {
                        assertThat(lease.isValid()).isTrue();
                        assertThat(holdfast.lock("a").tryAcquire()).isEmpty();
                    }
                });

        assertThat(log)
                .singleElement()
                .satisfies(entry -> assertThat(entry.getLevel()).isEqualTo(Level.WARNING))
                .satisfies(entry -> assertThat(entry.getMessage()).contains("no other context or process sees them"));
    }

    /** As the warning says. */
    @Test
    void start_twoContexts_holdTheSameLock() {
        application.run(one -> application.run(other -> {
            try (Lease ofOne = one.getBean(Holdfast.class).lock("a").acquire();
                    Lease ofOther = other.getBean(Holdfast.class).lock("a").acquire()) {
                assertThat(ofOne.isValid()).isTrue();
                assertThat(ofOther.isValid()).isTrue();
            }
        }));
    }

    @Test
    void start_profileOfProduction_warnsOfIt() {
        application
                .withPropertyValues("spring.profiles.active=prod")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(log)
                .singleElement()
                .satisfies(entry -> assertThat(entry.getMessage()).startsWith("A profile for production is active"));
    }

    @Test
    void health_inMemory_namesTheNode() {
        application.run(context -> {
            Health health = Objects.requireNonNull(new HoldfastHealthIndicator(
                            context.getBean(Holdfast.class),
                            context.getBean(JobOverview.class),
                            Duration.ofSeconds(10),
                            false)
                    .health());

            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails().get("nodes")).hasToString("{memory=votes}");
        });
    }

    /** The properties of other profiles stay. */
    @Test
    void start_propertiesOfServers_areIgnored() {
        application
                .withPropertyValues("holdfast.username=app", "holdfast.ssl.bundle=absent", "holdfast.replicas=2")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void start_otherAddressesAsWell_isRefusedWithTheRemedy() {
        application
                .withPropertyValues("holdfast.nodes=memory:,redis://a:6379")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessage("holdfast.nodes contains memory: and other addresses")
                        .isInstanceOfSatisfying(
                                ConfigurationException.class,
                                failure -> assertThat(failure.action()).contains("memory: alone")));
    }
}
