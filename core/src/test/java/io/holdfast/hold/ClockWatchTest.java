package io.holdfast.hold;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.time.ForwardingTime;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The comparison of both clocks, in virtual time. */
class ClockWatchTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final VirtualTime virtual = new VirtualTime();
    private final List<Duration> apart = new ArrayList<>();
    private boolean needed = true;
    private int timers;

    private final Time time = new ForwardingTime(virtual) {
        @Override
        public Timer schedule(Duration delay, Runnable task) {
            timers++;
            return super.schedule(delay, task);
        }
    };

    private final ClockWatch watch = new ClockWatch(time, () -> needed, apart::add);

    @Test
    void tick_clocksAgree_reportsNothing() {
        watch.start();

        virtual.advance(MINUTE);

        assertThat(apart).isEmpty();
        assertThat(timers).isEqualTo(241);
    }

    @Test
    void tick_wallClockRunsAhead_reportsItOnceWithinAnInterval() {
        watch.start();
        virtual.advance(MINUTE);

        virtual.stepWallClock(MINUTE);
        virtual.advance(ClockWatch.INTERVAL);
        assertThat(apart).containsExactly(MINUTE);
        virtual.advance(MINUTE);

        assertThat(apart).hasSize(1);
    }

    @Test
    void tick_wallClockIsSetBack_countsFromThere() {
        watch.start();
        virtual.stepWallClock(MINUTE.negated());
        virtual.advance(MINUTE);
        assertThat(apart).isEmpty();

        virtual.stepWallClock(Duration.ofSeconds(1));
        virtual.advance(MINUTE);

        assertThat(apart).containsExactly(Duration.ofSeconds(1));
    }

    @Test
    void tick_notNeeded_setsNoTimer() {
        needed = false;
        watch.start();
        virtual.advance(MINUTE);

        assertThat(timers).isEqualTo(1);
    }

    @Test
    void start_afterAPause_doesNotCountThePause() {
        needed = false;
        watch.start();
        virtual.advance(MINUTE);
        virtual.stepWallClock(MINUTE);

        needed = true;
        watch.start();
        watch.start();
        virtual.advance(MINUTE);

        assertThat(apart).isEmpty();
        assertThat(timers).isEqualTo(242);
    }
}
