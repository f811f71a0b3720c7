package io.holdfast.spring.integration;

import static io.holdfast.servers.Eventually.BOUND;
import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.lease.FencingToken;
import io.holdfast.servers.PatientOptions;
import io.holdfast.test.HoldfastExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.DistributedLock;

/** The contract of Spring Integration's lock registries, after the tests of its {@code RedisLockRegistry}. */
@SuppressWarnings("LockNotBeforeTry") // The extension takes away what a failed test leaves locked.
abstract class RegistryContract {

    private static final Duration LONG = Duration.ofSeconds(40);

    private final HoldfastExtension locks;
    private final Holdfast holdfast;
    private final HoldfastLockRegistry registry;
    private final HoldfastLockRegistry other;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    RegistryContract(HoldfastExtension locks) {
        this(locks, registry -> registry);
    }

    /**
     * Creates the tests.
     *
     * @param changed makes the first of the two registries of the one that it is given
     */
    RegistryContract(HoldfastExtension locks, UnaryOperator<HoldfastLockRegistry> changed) {
        this.locks = locks;
        this.holdfast = locks.holdfast();
        this.registry = changed.apply(new HoldfastLockRegistry(holdfast, "registry", PatientOptions.LOCK));
        this.other = new HoldfastLockRegistry(holdfast, "registry", PatientOptions.LOCK);
    }

    @AfterEach
    void shutDown() {
        threads.shutdownNow();
    }

    private <T> T elsewhere(Callable<T> work) throws Exception {
        return threads.submit(work).get();
    }

    @Test
    void obtain_sameKey_isTheSameObject() {
        assertThat(registry.obtain("foo")).isSameAs(registry.obtain("foo")).isNotSameAs(registry.obtain("bar"));
    }

    @Test
    void obtain_keyIsNoString_isRefused() {
        assertThatThrownBy(() -> registry.obtain(42))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.lang.Integer");
    }

    @Test
    void lock_free_hasTheNameOfRegistryAndKey() {
        Lock lock = registry.obtain("foo");
        lock.lock();
        try {
            assertThat(locks.isHeld("registry:foo")).isTrue();
            assertThat(registry.lease("foo")).isPresent();
        } finally {
            lock.unlock();
        }
        assertThat(locks.isHeld("registry:foo")).isFalse();
    }

    @Test
    void lock_reentered_isReleasedByTheLastUnlock() throws Exception {
        Lock lock = registry.obtain("foo");
        lock.lockInterruptibly();
        registry.obtain("foo").lock();

        lock.unlock();
        assertThat(locks.isHeld("registry:foo")).isTrue();

        lock.unlock();
        assertThat(locks.isHeld("registry:foo")).isFalse();
    }

    @Test
    void lock_twoKeys_areIndependent() {
        registry.obtain("foo").lock();
        registry.obtain("bar").lock();

        registry.obtain("foo").unlock();

        assertThat(locks.isHeld("registry:bar")).isTrue();
    }

    @Test
    void tryLock_anotherThreadOwnsIt_isFalse() throws Exception {
        registry.obtain("foo").lock();

        assertThat(elsewhere(() -> registry.obtain("foo").tryLock())).isFalse();
        assertThat(elsewhere(() -> other.obtain("foo").tryLock(500, TimeUnit.MILLISECONDS)))
                .isFalse();
    }

    @Test
    void unlock_anotherThreadOwnsIt_throwsAndChangesNothing() throws Exception {
        registry.obtain("foo").lock();

        assertThatThrownBy(() ->
                        threads.submit(() -> registry.obtain("foo").unlock()).get())
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("You do not own lock at registry:foo");
        registry.obtain("foo").unlock();
        assertThat(locks.isHeld("registry:foo")).isFalse();
    }

    @Test
    void unlock_notLocked_throws() {
        assertThatThrownBy(() -> registry.obtain("foo").unlock())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("You do not own lock at registry:foo");
    }

    @Test
    void lock_anotherThreadUnlocks_isGranted() throws Exception {
        registry.obtain("foo").lock();
        FencingToken before = registry.lease("foo").orElseThrow().fencingToken();
        Future<FencingToken> waiter = threads.submit(() -> {
            other.obtain("foo").lock();
            try {
                return other.lease("foo").orElseThrow().fencingToken();
            } finally {
                other.obtain("foo").unlock();
            }
        });
        eventually("the other thread waits", () -> !other.isUnused("foo"));
        assertThat(waiter).isNotDone();

        registry.obtain("foo").unlock();

        assertThat(waiter.get().isAbove(before)).isTrue();
    }

    /** Increments that are not atomic, from many threads and two registries. */
    @Test
    void lock_manyThreads_excludesThem() throws Exception {
        int[] count = {0};
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            HoldfastLockRegistry own = i % 2 == 0 ? registry : other;
            all.add(threads.submit(() -> own.<Integer, RuntimeException>executeLocked("foo", () -> {
                int before = count[0];
                Thread.onSpinWait();
                count[0] = before + 1;
                return before;
            })));
        }
        for (Future<?> one : all) {
            one.get();
        }

        assertThat(count[0]).isEqualTo(10);
        assertThat(registry.isUnused("foo")).isTrue();
    }

    @Test
    void unlock_lostWhileHeld_throwsConcurrentModification() throws Exception {
        Lock lock = registry.obtain("foo");
        lock.lock();
        Lease lease = registry.lease("foo").orElseThrow();
        locks.takeAway("registry:foo");
        lease.lossFuture().get();

        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);

        assertThat(lock.tryLock()).isTrue();
    }

    @Test
    void lock_lostByThisThread_cannotBeReentered() throws Exception {
        Lock lock = registry.obtain("foo");
        lock.lock();
        Lease lease = registry.lease("foo").orElseThrow();
        locks.takeAway("registry:foo");
        lease.lossFuture().get();

        assertThatThrownBy(lock::lock)
                .isInstanceOf(CannotAcquireLockException.class)
                .hasMessageContaining("Failed to lock mutex at registry:foo");
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
        assertThat(registry.isUnused("foo")).isTrue();
    }

    @Test
    void unlock_anotherHolderByThen_doesNotReleaseItsLock() throws Exception {
        Lock lock = registry.obtain("foo");
        lock.lock();
        locks.takeAway("registry:foo");
        locks.heldElsewhere("registry:foo");

        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);

        assertThat(locks.isHeld("registry:foo")).isTrue();
    }

    @Test
    void lock_withTtl_endsAfterIt() throws Exception {
        // The patient options wait for a node longer than that.
        DistributedLock lock = new HoldfastLockRegistry(holdfast, "registry").obtain("foo");
        lock.lock(Duration.ofMillis(200));

        assertThat(elsewhere(() -> other.obtain("foo").tryLock(BOUND, LONG))).isTrue();
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
    }

    @Test
    void tryLock_reenteredWithTtl_beginsItAgain() throws Exception {
        DistributedLock lock = registry.obtain("foo");
        assertThat(lock.tryLock(Duration.ZERO, LONG.dividedBy(2))).isTrue();
        Lease lease = registry.lease("foo").orElseThrow();
        Duration before = lease.remaining();

        assertThat(lock.tryLock(Duration.ZERO, LONG)).isTrue();

        assertThat(before).isLessThan(LONG.dividedBy(2));
        assertThat(lease.extend(Duration.ofSeconds(30))).isTrue();
    }

    @Test
    void renewLock_longerTtl_movesTheEnd() throws Exception {
        DistributedLock lock = registry.obtain("foo");
        assertThat(lock.tryLock(Duration.ZERO, LONG.dividedBy(2))).isTrue();
        Lease lease = registry.lease("foo").orElseThrow();

        registry.renewLock("foo", LONG);

        assertThat(lease.remaining()).isBetween(LONG.dividedBy(2), LONG);
        lock.unlock();
    }

    @Test
    void renewLock_shorterTtl_endsTheLockAfterIt() throws Exception {
        DistributedLock lock = registry.obtain("foo");
        lock.lock();
        Lease lease = registry.lease("foo").orElseThrow();

        registry.renewLock("foo", Duration.ofMillis(1_500));

        lease.lossFuture().get();
        // The lease of a minute would not have ended by itself.
        assertThat(elsewhere(() -> other.obtain("foo").tryLock(LONG, LONG))).isTrue();
        assertThatThrownBy(lock::unlock).isInstanceOf(ConcurrentModificationException.class);
    }

    @Test
    void renewLock_timeBelowTheShortestLease_isRefusedAndChangesNothing() {
        DistributedLock lock = registry.obtain("foo");
        lock.lock();
        Lease lease = registry.lease("foo").orElseThrow();

        for (Duration ttl : List.of(Duration.ofMillis(9), Duration.ZERO, LONG.negated())) {
            assertThatThrownBy(() -> registry.renewLock("foo", ttl))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at least PT0.01S");
        }

        assertThat(lease.remaining()).isGreaterThan(LONG);
        lock.unlock();
    }

    @Test
    void renewLock_noTtl_extendsTheLease() {
        registry.obtain("foo").lock();

        registry.renewLock("foo");

        assertThat(registry.lease("foo").orElseThrow().remaining()).isGreaterThan(LONG);
    }

    @Test
    void renewLock_notOwner_throws() {
        registry.obtain("foo");

        assertThatThrownBy(() -> registry.renewLock("foo"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Could not renew mutex at registry:foo");
    }

    @Test
    @SuppressWarnings("NullAway")
    void registry_nullKey_isRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> new HoldfastLockRegistry(holdfast, null))
                .withMessage("registryKey is null; give a registryKey");
    }

    @Test
    @SuppressWarnings("NullAway")
    void obtain_null_isRefused() {
        assertThatThrownBy(() -> registry.obtain(null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not null");
    }

    @Test
    void tryLock_longestTimes_waitWithoutALimit() throws Exception {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE);

        assertThat(registry.obtain("foo").tryLock(Long.MAX_VALUE, TimeUnit.DAYS))
                .isTrue();
        assertThat(registry.obtain("bar").tryLock(longest, longest)).isTrue();
        registry.renewLock("bar", longest);
    }

    @Test
    void expireUnusedOlderThan_longestTime_forgetsNothing() {
        Lock unused = registry.obtain("unused");

        registry.expireUnusedOlderThan(Long.MAX_VALUE);

        assertThat(registry.obtain("unused")).isSameAs(unused);
    }

    @Test
    void tryLock_heldElsewhere_waitsAtMostItsTime() throws Exception {
        locks.heldElsewhere("registry:foo");

        assertThat(registry.obtain("foo").tryLock(500, TimeUnit.MILLISECONDS)).isFalse();
        assertThatThrownBy(() -> registry.executeLocked("foo", Duration.ofMillis(500), () -> {}))
                .isInstanceOf(TimeoutException.class);
        assertThat(registry.isUnused("foo")).isTrue();
    }

    @Test
    void lockInterruptibly_interrupted_ends() {
        locks.heldElsewhere("registry:foo");
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> registry.obtain("foo").lockInterruptibly()).isInstanceOf(InterruptedException.class);
        assertThat(registry.isUnused("foo")).isTrue();
    }

    @Test
    void lock_interrupted_isGrantedAndStaysInterrupted() {
        Thread.currentThread().interrupt();

        registry.obtain("foo").lock();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(locks.isHeld("registry:foo")).isTrue();
    }

    @Test
    void unlock_interrupted_releasesTheLock() {
        registry.obtain("foo").lock();
        Thread.currentThread().interrupt();

        registry.obtain("foo").unlock();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(locks.isHeld("registry:foo")).isFalse();
    }

    @Test
    void tryLock_interrupted_isFalseAndStaysInterrupted() {
        Thread.currentThread().interrupt();

        assertThat(registry.obtain("foo").tryLock()).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void expireUnusedOlderThan_someInUse_forgetsTheOthers() {
        Lock used = registry.obtain("used");
        used.lock();
        Lock unused = registry.obtain("unused");

        registry.expireUnusedOlderThan(60_000);
        assertThat(registry.obtain("unused")).isSameAs(unused);

        registry.expireUnusedOlderThan(0);
        assertThat(registry.obtain("used")).isSameAs(used);
        assertThat(registry.obtain("unused")).isNotSameAs(unused);
    }

    /** Its state is not in the object. */
    @Test
    void lock_objectThatWasForgotten_isTheSameLock() {
        Lock forgotten = registry.obtain("foo");
        registry.expireUnusedOlderThan(0);

        forgotten.lock();
        registry.obtain("foo").lock();
        registry.obtain("foo").unlock();
        forgotten.unlock();

        assertThat(locks.isHeld("registry:foo")).isFalse();
    }

    @Test
    void newCondition_isNotSupported() {
        assertThatThrownBy(() -> registry.obtain("foo").newCondition())
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
