package io.holdfast.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 10, 100, 1_000_003})
    void part_anyDuration_equalsDurationsResult(int parts) {
        Random random = new Random(parts);
        for (int i = 0; i < 1_000; i++) {
            Duration whole = Duration.ofSeconds(
                    random.nextLong(Long.MAX_VALUE >>> random.nextInt(63)), random.nextInt(1_000_000_000));

            assertThat(Durations.part(whole, parts)).isEqualTo(whole.dividedBy(parts));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 100})
    void times_ofALease_equalsDurationsResult(int count) {
        Duration one = Duration.ofDays(1).plusNanos(1);

        assertThat(Durations.times(one, count)).isEqualTo(one.multipliedBy(count));
    }

    @Test
    void toWholeMillis_partOfAMillisecond_isRoundedUp() {
        assertThat(Durations.toWholeMillis(Duration.ofNanos(1))).isEqualTo(Duration.ofMillis(1));
        assertThat(Durations.toWholeMillis(Duration.ofMillis(7))).isEqualTo(Duration.ofMillis(7));
        assertThat(Durations.toWholeMillis(Duration.ofNanos(7_000_001))).isEqualTo(Duration.ofMillis(8));
        assertThat(Durations.toWholeMillis(Duration.ofNanos(-1))).isZero();
        assertThat(Durations.toWholeMillis(Duration.ofSeconds(-2))).isZero();
    }

    @Test
    void toWholeSeconds_partOfASecond_isRoundedUp() {
        assertThat(Durations.toWholeSeconds(Duration.ZERO)).isZero();
        assertThat(Durations.toWholeSeconds(Duration.ofMillis(1))).isEqualTo(1);
        assertThat(Durations.toWholeSeconds(Duration.ofSeconds(66))).isEqualTo(66);
        assertThat(Durations.toWholeSeconds(Duration.ofMillis(66_001))).isEqualTo(67);
    }
}
