package io.holdfast.cli.option;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockOptions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitOptionsTest {

    /** A shorter wait than the limit for servers that do not answer ends the command sooner. */
    @ParameterizedTest
    @CsvSource({"-1, forever, 10000", "60000, 60000, 10000", "100, 100, 100", "0, 0, 2000"})
    void apply_wait_limitsTheAttempts(long wait, String waitLimit, long unreachableLimit) {
        Optional<Duration> limit = Optional.of(Duration.ofMillis(wait)).filter(given -> !given.isNegative());
        WaitOptions waiting = new WaitOptions(wait == 0, limit, 75, false);

        LockOptions options = waiting.apply(LockOptions.DEFAULT);

        assertThat(options.waitLimit())
                .isEqualTo(
                        waitLimit.equals("forever")
                                ? LockOptions.FOREVER
                                : Duration.ofMillis(Long.parseLong(waitLimit)));
        assertThat(options.unreachableLimit()).isEqualTo(Duration.ofMillis(unreachableLimit));
        assertThat(options.failFast())
                .as("servers that no wait makes usable end the command at once")
                .isTrue();
    }
}
