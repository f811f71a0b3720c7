package io.holdfast.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.time.ForwardingTime;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many timeouts on few timers, in virtual time. */
class SharedTimersTest {

    private final VirtualTime time = new VirtualTime();
    private final CountingTime counting = new CountingTime();
    private final List<Integer> firedTogether = new ArrayList<>();
    private int fired;
    private final SharedTimers timers = new SharedTimers(counting, () -> {
        firedTogether.add(fired);
        fired = 0;
    });

    /** Counts the timers that were set. */
    private final class CountingTime extends ForwardingTime {

        private int timers;
        private boolean fails;

        CountingTime() {
            super(time);
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            if (fails) {
                throw new OutOfMemoryError("in a test");
            }
            timers++;
            return time.schedule(delay, task);
        }
    }

    private final class RecordingTimeout extends SharedTimers.Timeout {

        private final List<Long> firings = new ArrayList<>();

        @Override
        void fire() {
            fired++;
            firings.add(time.now().nanos());
        }
    }

    @Test
    void fire_anyDelay_isNeverLateAndAHundredthEarlyAtMost() {
        Random random = new Random(11);
        for (int i = 0; i < 2_000; i++) {
            long delay = (long) Math.pow(10, random.nextDouble() * 11);
            long due = time.now().nanos() + delay;
            RecordingTimeout timeout = new RecordingTimeout();
            timers.set(timeout, Duration.ofNanos(delay), Duration.ofNanos(delay / 100));
            time.advance(Duration.ofNanos(delay));
            assertThat(timeout.firings).as("delay %s ns", delay).hasSize(1);
            assertThat(timeout.firings.get(0)).isBetween(due - delay / 100, due);
        }
    }

    @Test
    void fire_thousandsWithinASecond_usesFewTimersAndFiresASlotTogether() {
        for (int i = 0; i < 10_000; i++) {
            timers.set(new RecordingTimeout(), Duration.ofSeconds(10), Duration.ofMillis(100));
            time.advance(Duration.ofNanos(100_000));
        }

        time.advance(Duration.ofSeconds(10));

        assertThat(counting.timers).isLessThan(20);
        assertThat(firedTogether).hasSize(counting.timers);
        assertThat(firedTogether.stream().mapToInt(Integer::intValue).sum()).isEqualTo(10_000);
    }

    @Test
    void cancel_inTheMiddleOfASlot_cancelsThatTimeoutOnly() {
        List<RecordingTimeout> timeouts =
                List.of(new RecordingTimeout(), new RecordingTimeout(), new RecordingTimeout(), new RecordingTimeout());
        timeouts.forEach(timeout -> timers.set(timeout, Duration.ofSeconds(10), Duration.ofMillis(100)));

        timers.cancel(timeouts.get(1));
        timers.cancel(timeouts.get(3));
        timers.cancel(timeouts.get(3));
        time.advance(Duration.ofSeconds(10));

        assertThat(timeouts).extracting(timeout -> timeout.firings.size()).containsExactly(1, 0, 1, 0);
    }

    @Test
    void set_again_firesAtTheNewMomentOnly() {
        RecordingTimeout timeout = new RecordingTimeout();
        timers.set(timeout, Duration.ofSeconds(10), Duration.ofMillis(100));
        timers.set(timeout, Duration.ofMillis(5), Duration.ZERO);

        time.advance(Duration.ofSeconds(20));

        assertThat(timeout.firings).containsExactly(5_000_000L);
    }

    @Test
    void fire_oneFails_othersFireAndItFiresAgain() {
        AtomicInteger attempts = new AtomicInteger();
        SharedTimers.Timeout failing = new SharedTimers.Timeout() {
            @Override
            void fire() {
                if (attempts.incrementAndGet() == 1) {
                    throw new OutOfMemoryError("in a test");
                }
            }
        };
        RecordingTimeout other = new RecordingTimeout();
        timers.set(failing, Duration.ofSeconds(1), Duration.ZERO);
        timers.set(other, Duration.ofSeconds(1), Duration.ZERO);

        assertThatIllegalStateException()
                .isThrownBy(() -> time.advance(Duration.ofSeconds(1)))
                .withMessageContaining("fires again");
        assertThat(firedTogether).containsExactly(1);
        time.advance(Duration.ofSeconds(1));

        assertThat(other.firings).hasSize(1);
        assertThat(attempts).hasValue(2);
    }

    @Test
    void set_whileFiring_firesAgain() {
        List<Long> firings = new ArrayList<>();
        SharedTimers.Timeout again = new SharedTimers.Timeout() {
            @Override
            void fire() {
                firings.add(time.now().nanos());
                if (firings.size() < 3) {
                    timers.set(this, Duration.ofMillis(1), Duration.ZERO);
                }
            }
        };
        timers.set(again, Duration.ZERO, Duration.ZERO);

        time.advance(Duration.ofSeconds(1));

        assertThat(firings).containsExactly(0L, 1_000_000L, 2_000_000L);
    }

    @Test
    void set_noTimerCanBeSet_firesAtTheEarlierMoment() {
        RecordingTimeout timeout = new RecordingTimeout();
        timers.set(timeout, Duration.ofSeconds(1), Duration.ZERO);
        counting.fails = true;
        assertThatThrownBy(() -> timers.set(timeout, Duration.ofSeconds(2), Duration.ZERO))
                .isInstanceOf(OutOfMemoryError.class);

        time.advance(Duration.ofSeconds(1));

        assertThat(timeout.firings).hasSize(1);
    }
}
