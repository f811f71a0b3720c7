package io.holdfast.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the text of a loss. */
class LossTest {

    @Test
    void toString_noticedLate_saysSo() {
        assertThat(new Loss("a", LossReason.EXPIRED, Duration.ofSeconds(7)))
                .hasToString("lease on 'a' lost: its lease ended; noticed 7000 ms after its end, because this process"
                        + " was paused or without a processor");
    }

    /**
     * {@code Lease.limit} with zero ends a lease at a moment that is past when its end is computed, and timers are
     * late.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 1_500, 50_000})
    void toString_timerWasLate_isOnTime(long micros) {
        assertThat(new Loss("a", LossReason.HOLD_LIMIT, Duration.of(micros, ChronoUnit.MICROS)))
                .hasToString("lease on 'a' lost: it was held for as long as its hold limit allows");
    }
}
