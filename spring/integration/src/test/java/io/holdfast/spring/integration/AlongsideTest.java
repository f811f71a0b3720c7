package io.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.test.HoldfastExtension;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;

/** The calls that a registry passes to the one alongside it. */
@SuppressWarnings("LockNotBeforeTry") // The extension takes away what a failed test leaves locked.
class AlongsideTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TTL = Duration.ofSeconds(40);
    private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE);

    @RegisterExtension
    static final HoldfastExtension LOCKS = HoldfastExtension.inMemory();

    private final OtherRegistry other = new OtherRegistry();
    private final HoldfastLockRegistry registry =
            new HoldfastLockRegistry(LOCKS.holdfast(), "registry").alongside(other);
    private final DistributedLock lock = registry.obtain("foo");

    @Test
    void lock_withoutTtl_isWithoutTtlInBoth() throws Exception {
        lock.lock();
        lock.lockInterruptibly();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();

        assertThat(other.calls).containsExactly("lockInterruptibly", "lockInterruptibly", "tryLock", "tryLock PT1S");
    }

    @Test
    void lock_withTtl_hasItInBoth() throws Exception {
        lock.lock(TTL);
        assertThat(lock.tryLock(SECOND, TTL)).isTrue();
        assertThat(lock.tryLock(LONGEST, LONGEST)).isTrue();

        assertThat(other.calls).containsExactly("lock " + TTL, "tryLock PT1S " + TTL, "lock " + LockOptions.FOREVER);
    }

    /** Such as a registry on ZooKeeper. */
    @Test
    void lock_withTtlThatTheOtherDoesNotKnow_isLockedThereWithout() {
        ReentrantLock plain = new ReentrantLock();
        LockRegistry<?> locks = key -> plain;
        HoldfastLockRegistry both = new HoldfastLockRegistry(LOCKS.holdfast(), "registry").alongside(locks);

        both.obtain("foo").lock(TTL);
        both.renewLock("foo", TTL);
        both.expireUnusedOlderThan(0);
        assertThat(plain.isHeldByCurrentThread()).isTrue();

        both.obtain("foo").unlock();
        assertThat(plain.isLocked()).isFalse();
    }

    @Test
    void alongside_twice_isRefused() {
        assertThatThrownBy(() -> registry.alongside(other))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("give alongside one registry with the locks of both");
    }

    @Test
    void lock_free_isUnlockedInBoth() {
        lock.lock();
        assertThat(LOCKS.isHeld("registry:foo")).isTrue();

        lock.unlock();

        assertThat(LOCKS.isHeld("registry:foo")).isFalse();
        assertThat(other.calls).endsWith("unlock");
    }

    @Test
    void tryLock_otherIsRefused_isNotLocked() {
        other.isFree = false;

        assertThat(lock.tryLock()).isFalse();

        assertThat(LOCKS.isHeld("registry:foo")).isFalse();
        assertThat(other.calls).containsExactly("tryLock");
    }

    @Test
    void tryLock_ownIsRefused_unlocksTheOther() throws Exception {
        LOCKS.heldElsewhere("registry:foo");

        assertThat(lock.tryLock(Duration.ZERO, TTL)).isFalse();

        assertThat(other.calls).containsExactly("tryLock PT0S " + TTL, "unlock");
    }

    @Test
    void unlock_notOwner_leavesTheOther() {
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);

        assertThat(other.calls).isEmpty();
    }

    @Test
    void unlock_ownIsLost_unlocksTheOtherAndThrows() throws Exception {
        lock.lock();
        Lease lease = registry.lease("foo").orElseThrow();
        LOCKS.takeAway("registry:foo");
        lease.lossFuture().get();

        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);

        assertThat(other.calls).endsWith("unlock");
    }

    @Test
    void renewLock_held_renewsBoth() {
        lock.lock();

        registry.renewLock("foo");
        registry.renewLock("foo", TTL);

        assertThat(other.calls).endsWith("renew", "renew " + TTL);
        assertThat(registry.lease("foo").orElseThrow().remaining()).isLessThan(TTL);
    }

    @Test
    void renewLock_notOwner_leavesTheOther() {
        assertThatThrownBy(() -> registry.renewLock("foo")).isInstanceOf(IllegalStateException.class);

        assertThat(other.calls).isEmpty();
    }

    @Test
    void expireUnusedOlderThan_both_areAsked() {
        registry.expireUnusedOlderThan(7);

        assertThat(other.calls).containsExactly("expire 7");
    }
}
