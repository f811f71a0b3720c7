package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockOptions;
import io.holdfast.spring.LockFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Tests properties that are written in a wrong way. */
class WrongPropertiesTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(HoldfastAutoConfiguration.class))
            .withBean(MemoryNodes.class, MemoryNodes::new)
            .withPropertyValues("holdfast.nodes=redis://a:6379");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "holdfast.max-lease",
                "holdfast.connect-timeout",
                "holdfast.lock.lease",
                "holdfast.lock.waitLimit",
                "holdfast.locks.order.hold-limit"
            })
    void start_durationWithoutUnit_isRefusedWithTheRemedy(String property) {
        application
                .withPropertyValues(property + "=30")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageStartingWith("holdfast.")
                        .hasMessageEndingWith(" '30' has no unit; write 500ms, 30s, 2m or 1h"));
        application
                .withPropertyValues(property + "=${wait:30}")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("'30' has no unit"));
        application
                .withPropertyValues(property + "=45s")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"holdfast.lock.lease=forever", "holdfast.lock.wait-limit=soon", "holdfast.max-lease=forever"})
    void start_noDuration_isRefused(String property) {
        application
                .withPropertyValues(property)
                .run(context -> assertThat(context).hasFailed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"forever", "${wait:forever}"})
    void start_waitForever_isTheLimitThatIsNeverReached(String limit) {
        application
                .withPropertyValues("holdfast.lock.wait-limit=" + limit)
                .run(context -> assertThat(context.getBean(LockFactory.class)
                                .options("order")
                                .waitLimit())
                        .isEqualTo(LockOptions.FOREVER));
    }

    @Test
    void start_zeroWithoutUnit_isAccepted() {
        application
                .withPropertyValues("holdfast.lock.wait-limit=0")
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** Other beans bind their properties as Boot does. */
    @Test
    void start_otherDurationWithoutUnit_isAccepted() {
        application
                .withPropertyValues("spring.ssl.bundle.watch.file.quiet-period=30")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"holdfast.node=a", "holdfast.lock.leese=30s", "holdfast.locks.order.wait=1s"})
    void start_unknownProperty_isRefused(String property) {
        application
                .withPropertyValues(property)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(property.substring(0, property.indexOf('=')))
                        .hasMessageContaining("left unbound"));
    }
}
