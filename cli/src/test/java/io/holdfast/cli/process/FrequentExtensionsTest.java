package io.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FrequentExtensionsTest {

    /** Two times in hundredths of a second, after some years without a restart of the machine. */
    private static final int LONGEST_LINE = 24;

    private static final int SMALLEST_PIPE = 4_096;

    @Test
    void interval_defaultLease_isASecond() {
        assertThat(FrequentExtensions.interval(LockOptions.DEFAULT.lease())).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void interval_longestLease_reportsFitIntoThePipeOfTheWatchdog() {
        Duration lease = LockOptions.MAX_LEASE;

        assertThat(lease.dividedBy(FrequentExtensions.interval(lease)) * LONGEST_LINE)
                .isLessThan(SMALLEST_PIPE);
    }
}
