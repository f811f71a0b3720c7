package io.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.integration.support.locks.DistributedLock;

/** Holds with a time to live, which end when it is over and not before. In virtual time. */
@SuppressWarnings("LockNotBeforeTry") // Each test has locks of its own, which end with it.
class RegistryTtlTest {

    private final VirtualTime time = new VirtualTime();
    private final InMemoryNode node = new InMemoryNode("a", time);
    private final Holdfast holdfast = Holdfast.forTesting(List.of(node), time, new Random(1));
    private final HoldfastLockRegistry registry = new HoldfastLockRegistry(holdfast, "registry");
    private final DistributedLock lock = registry.obtain("foo");

    @ParameterizedTest
    @ValueSource(longs = {50, 900, 2_000, 29_999, 45_000, 600_000})
    void lock_ttl_endsTheHoldWhenItIsOver(long millis) {
        lock.lock(Duration.ofMillis(millis));

        requireEndAfter(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(longs = {50, 900, 2_000, 25_000, 45_000})
    void lock_reenteredWithTtl_endsTheHoldWhenItIsOver(long millis) {
        lock.lock();
        time.advance(Duration.ofMillis(9_999));

        lock.lock(Duration.ofMillis(millis));

        requireEndAfter(Duration.ofMillis(millis));
    }

    @Test
    void lock_reenteredWithoutTtl_beginsItAgain() {
        lock.lock(Duration.ofSeconds(5));
        time.advance(Duration.ofSeconds(4));

        lock.lock();

        requireEndAfter(Duration.ofSeconds(5));
    }

    @Test
    void renewLock_withoutTtl_beginsItAgain() {
        lock.lock();
        registry.renewLock("foo", Duration.ofSeconds(5));
        time.advance(Duration.ofSeconds(4));

        registry.renewLock("foo");

        requireEndAfter(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @ValueSource(longs = {50, 900, 2_000, 25_000, 45_000})
    void renewLock_ttl_endsTheHoldWhenItIsOver(long millis) {
        lock.lock();
        time.advance(Duration.ofMillis(9_999));

        registry.renewLock("foo", Duration.ofMillis(millis));

        requireEndAfter(Duration.ofMillis(millis));
    }

    /** To repeat it would be in vain. */
    @Test
    void renewLock_lockWasBroken_saysThatItIsLost() {
        lock.lock();
        Holdfast.forTesting(List.of(node), time, new Random(2)).admin().breakLock("registry:foo");

        assertThatThrownBy(() -> registry.renewLock("foo"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Could not renew mutex at registry:foo: this thread has lost the lock; stop its work")
                .hasCauseInstanceOf(LeaseLostException.class);
    }

    /** The hold may last longer by the drift of the clocks, 1 % of a lease and 2 ms. */
    private void requireEndAfter(Duration ttl) {
        Lease lease = registry.lease("foo").orElseThrow();
        time.advance(ttl.minusMillis(1));
        assertThat(lease.isValid()).isTrue();

        time.advance(Duration.ofMillis(500));
        assertThat(lease.isValid()).isFalse();
    }
}
