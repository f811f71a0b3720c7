package io.holdfast.acquire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.WakeUp;
import io.holdfast.quorum.NodeSets;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetryPauseTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration LEFT = Duration.ofMillis(300);
    private static final Duration AFTER = LEFT.plusMillis(1);
    private static final WakeUp RETAINED = WakeUp.retained("a", FencingToken.NONE, LEFT);

    private final VirtualTime time = new VirtualTime();
    private final AtomicInteger ended = new AtomicInteger();
    private final RetryPause pause = new RetryPause(time, NodeSets.of(3)::isMajority, ended::incrementAndGet);

    @Test
    void wake_duringThePause_endsItWhenTheLockBecomesFree() {
        pause.begin(LONG);
        pause.wake(0, RETAINED);

        time.advance(LEFT);
        assertThat(ended).hasValue(0);
        time.advance(AFTER.minus(LEFT));
        assertThat(ended).hasValue(1);
    }

    /** The reply to the attempt may be older than the announcement. */
    @Test
    void wake_duringTheAttemptBefore_endsThePauseWhenTheLockBecomesFree() {
        pause.wake(0, RETAINED);
        time.advance(LEFT.dividedBy(2));
        pause.begin(LONG);

        time.advance(AFTER.minus(LEFT.dividedBy(2)));

        assertThat(ended).hasValue(1);
    }

    @Test
    void wake_beforeTheAttempt_isForgotten() {
        pause.wake(0, RETAINED);
        pause.forgetNotifications();
        pause.begin(LONG);

        time.advance(AFTER);

        assertThat(ended).hasValue(0);
    }

    @Test
    void wake_laterThanTheEndOfThePause_changesNothing() {
        pause.wake(0, RETAINED);
        pause.begin(LEFT.dividedBy(2));

        time.advance(LEFT.dividedBy(2));

        assertThat(ended).hasValue(1);
    }

    @Test
    void fire_actionFails_runsAgain() {
        AtomicInteger runs = new AtomicInteger();
        pause.begin(LEFT, () -> {
            if (runs.incrementAndGet() == 1) {
                throw new OutOfMemoryError("in a test");
            }
        });

        assertThatThrownBy(() -> time.advance(LEFT)).isInstanceOf(OutOfMemoryError.class);
        time.advance(LEFT);

        assertThat(runs).hasValue(2);
    }
}
