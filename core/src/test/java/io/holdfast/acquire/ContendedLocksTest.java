package io.holdfast.acquire;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.time.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ContendedLocksTest {

    private static final String LOCK = "Aa";
    /** A name with the same hash. */
    private static final String ANOTHER = "BB";

    private static final Duration REMEMBERED = Duration.ofSeconds(1);

    private final VirtualTime time = new VirtualTime();
    private final ContendedLocks locks = new ContendedLocks();

    private boolean contains(String resource) {
        return locks.contains(resource, time.now());
    }

    @Test
    void contains_lockWasMet_untilASecondLater() {
        locks.met(LOCK, time.now());

        time.advance(REMEMBERED.minusNanos(1));
        assertThat(contains(LOCK)).isTrue();
        time.advance(Duration.ofNanos(1));
        assertThat(contains(LOCK)).isFalse();
    }

    /** The last reading of the nodes' clocks, from which positions follow, is as old. */
    @Test
    void contains_machineWasSuspended_isFalse() {
        locks.met(LOCK, time.now());

        time.stepWallClock(REMEMBERED);

        assertThat(contains(LOCK)).isFalse();
    }

    @Test
    void contains_lockWasFreeSince_isFalse() {
        locks.met(LOCK, time.now());

        locks.wasFree(LOCK);

        assertThat(contains(LOCK)).isFalse();
    }

    @Test
    void contains_anotherLockOfTheSameHash_isFalse() {
        assertThat(LOCK).hasSameHashCodeAs(ANOTHER);
        locks.met(LOCK, time.now());

        assertThat(contains(ANOTHER)).isFalse();
        locks.met(ANOTHER, time.now());
        assertThat(contains(ANOTHER)).isTrue();
        assertThat(contains(LOCK)).isFalse();
    }
}
