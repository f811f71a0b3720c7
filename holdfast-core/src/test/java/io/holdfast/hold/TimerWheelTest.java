package io.holdfast.hold;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Many alarms on few timers, in virtual time. */
class TimerWheelTest {

    private final VirtualTime time = new VirtualTime();
    private final CountingTime counting = new CountingTime();
    private final List<Integer> rungTogether = new ArrayList<>();
    private int rung;
    private final TimerWheel alarms = new TimerWheel(counting, () -> {
        rungTogether.add(rung);
        rung = 0;
    });

    /** Says how many timers were asked for. */
    private final class CountingTime implements Time {

        private int timers;

        @Override
        public Moment now() {
            return time.now();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            timers++;
            return time.schedule(delay, task);
        }

        @Override
        public void execute(Runnable task) {
            time.execute(task);
        }
    }

    private final class Bell extends TimerWheel.Timeout {

        private final List<Long> rings = new ArrayList<>();

        @Override
        void fire() {
            rung++;
            rings.add(time.now().nanos());
        }
    }

    @Test
    void ring_anyDelay_isNeverLateAndAHundredthEarlyAtMost() {
        Random random = new Random(11);
        for (int i = 0; i < 2_000; i++) {
            long delay = (long) Math.pow(10, random.nextDouble() * 11);
            long due = time.now().nanos() + delay;
            Bell bell = new Bell();
            alarms.set(bell, Duration.ofNanos(delay), Duration.ofNanos(delay / 100));
            time.advance(Duration.ofNanos(delay));
            assertThat(bell.rings).as("delay %s ns", delay).hasSize(1);
            assertThat(bell.rings.get(0)).isBetween(due - delay / 100, due);
        }
    }

    @Test
    void ring_thousandsWithinASecond_takesFewTimersAndRingsAllOfASlotTogether() {
        for (int i = 0; i < 10_000; i++) {
            alarms.set(new Bell(), Duration.ofSeconds(10), Duration.ofMillis(100));
            time.advance(Duration.ofNanos(100_000));
        }

        time.advance(Duration.ofSeconds(10));

        assertThat(counting.timers).isLessThan(20);
        assertThat(rungTogether).hasSize(counting.timers);
        assertThat(rungTogether.stream().mapToInt(Integer::intValue).sum()).isEqualTo(10_000);
    }

    @Test
    void cancel_inTheMiddleOfASlot_keepsItAloneFromRinging() {
        List<Bell> bells = List.of(new Bell(), new Bell(), new Bell(), new Bell());
        bells.forEach(bell -> alarms.set(bell, Duration.ofSeconds(10), Duration.ofMillis(100)));

        alarms.cancel(bells.get(1));
        alarms.cancel(bells.get(3));
        alarms.cancel(bells.get(3));
        time.advance(Duration.ofSeconds(10));

        assertThat(bells).extracting(bell -> bell.rings.size()).containsExactly(1, 0, 1, 0);
    }

    @Test
    void set_again_ringsAtTheNewMomentAlone() {
        Bell bell = new Bell();
        alarms.set(bell, Duration.ofSeconds(10), Duration.ofMillis(100));
        alarms.set(bell, Duration.ofMillis(5), Duration.ZERO);

        time.advance(Duration.ofSeconds(20));

        assertThat(bell.rings).containsExactly(5_000_000L);
    }

    @Test
    void set_whileItRings_ringsAgain() {
        List<Long> rings = new ArrayList<>();
        TimerWheel.Timeout again = new TimerWheel.Timeout() {
            @Override
            void fire() {
                rings.add(time.now().nanos());
                if (rings.size() < 3) {
                    alarms.set(this, Duration.ofMillis(1), Duration.ZERO);
                }
            }
        };
        alarms.set(again, Duration.ZERO, Duration.ZERO);

        time.advance(Duration.ofSeconds(1));

        assertThat(rings).containsExactly(0L, 1_000_000L, 2_000_000L);
    }
}
