package io.holdfast.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VirtualTimeTest {

    @Test
    void advance_beyondTheLastMoment_staysThere() {
        VirtualTime time = new VirtualTime();
        Duration century = Duration.ofDays(36_500);
        for (int i = 0; i < 4; i++) {
            time.advance(century);
        }

        assertThat(time.now().nanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void repeat_taskThrows_runsAgainUntilItReturnsFalse() {
        VirtualTime time = new VirtualTime();
        List<Long> seen = new ArrayList<>();
        time.repeat(Duration.ofNanos(10), () -> {
            seen.add(time.now().nanos());
            if (seen.size() == 1) {
                throw new IllegalStateException("expected by a test");
            }
            return seen.size() < 3;
        });

        assertThatThrownBy(() -> time.advance(Duration.ofNanos(10))).isInstanceOf(IllegalStateException.class);
        time.advance(Duration.ofNanos(90));

        assertThat(seen).containsExactly(10L, 20L, 30L);
    }

    /** A task that waits advances the time; the enclosing call must not set the clocks back. */
    @Test
    void advance_aTaskAdvancesFurther_clocksNeverGoBack() {
        VirtualTime time = new VirtualTime();
        List<Long> seen = new ArrayList<>();
        time.schedule(Duration.ofMillis(1), () -> time.advance(Duration.ofSeconds(1)));
        time.schedule(Duration.ofMillis(500), () -> seen.add(time.now().nanos()));

        time.advance(Duration.ofMillis(10));

        assertThat(seen).containsExactly(500_000_000L);
        assertThat(time.now().nanos()).isEqualTo(1_001_000_000L);
    }
}
