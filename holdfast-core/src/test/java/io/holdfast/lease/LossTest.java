package io.holdfast.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the text of a loss. */
class LossTest {

    @Test
    void toString_noticedLate_saysSo() {
        assertThat(new Loss("a", LossReason.EXPIRED, Duration.ofSeconds(7)))
                .hasToString("lease on 'a' lost: its lease ended; noticed 7000 ms after its end, because this process"
                        + " was stopped");
    }

    /** {@code Lease.limit} with zero ends a lease at a moment that is past when its end is computed. */
    @Test
    void toString_noticedWithinAMillisecond_isOnTime() {
        assertThat(new Loss("a", LossReason.HOLD_LIMIT, Duration.ofNanos(900_000)))
                .hasToString("lease on 'a' lost: it was held for as long as its hold limit allows");
    }
}
