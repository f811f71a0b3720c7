package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.locks.DistributedSemaphore;
import io.holdfast.locks.LeaderElection;
import io.holdfast.locks.MultiLease;
import io.holdfast.locks.MultiLock;
import io.holdfast.locks.OwnedLease;
import io.holdfast.locks.OwnedLock;
import io.holdfast.locks.ReentrantDistributedLock;
import io.holdfast.servers.PatientOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of the locks that are composed on the lease, for nodes of every kind and number. Runs in real time. */
@SuppressWarnings("LockNotBeforeTry") // The tests are about when a lock is held.
public abstract class ComposedLocksContract extends ClientsContract {

    private static final LockOptions OPTIONS = PatientOptions.LOCK;

    private final String resource = "locks:{" + UUID.randomUUID() + "}";

    /** The lock of this test. */
    final DistributedLock lock(Holdfast client) {
        return client.lock(resource, OPTIONS);
    }

    @ParameterizedTest
    @EnumSource
    void reentrantLock_lockedTwice_isReleasedAtTheSecondUnlock(Size size) {
        ReentrantDistributedLock lock = ReentrantDistributedLock.of(client(size).lock(resource, OPTIONS));
        ReentrantDistributedLock other =
                ReentrantDistributedLock.of(client(size).lock(resource, OPTIONS));

        lock.lock();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.holdCount()).isEqualTo(2);
        assertThat(other.tryLock()).isFalse();
        lock.unlock();
        assertThat(other.tryLock()).isFalse();
        lock.unlock();

        other.lock();
        assertThat(other.isHeldByCurrentThread()).isTrue();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        other.unlock();
    }

    @ParameterizedTest
    @EnumSource
    void reentrantLock_anotherThread_cannotLockOrUnlock(Size size) throws Exception {
        ReentrantDistributedLock lock = ReentrantDistributedLock.of(client(size).lock(resource, OPTIONS));
        lock.lock();

        boolean atOnce = inAnotherThread(lock::tryLock);
        boolean soon = inAnotherThread(() -> lock.tryLock(1, TimeUnit.MILLISECONDS));
        assertThat(atOnce || soon).isFalse();
        assertThatThrownBy(() -> inAnotherThread(() -> {
                    lock.unlock();
                    return true;
                }))
                .hasCauseInstanceOf(IllegalMonitorStateException.class);

        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    @ParameterizedTest
    @EnumSource
    void reentrantLock_timeoutOrInterrupt_endsTheWait(Size size) throws Exception {
        ReentrantDistributedLock held = ReentrantDistributedLock.of(client(size).lock(resource, OPTIONS));
        ReentrantDistributedLock lock = ReentrantDistributedLock.of(client(size).lock(resource, OPTIONS));
        held.lock();

        Thread.currentThread().interrupt();
        assertThatThrownBy(lock::lockInterruptibly).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> lock.tryLock(1, TimeUnit.HOURS)).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThat(lock.tryLock()).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(lock.tryLock(50, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(lock.tryLock(0, TimeUnit.MILLISECONDS)).isFalse();
        CompletableFuture<Boolean> waits = CompletableFuture.supplyAsync(() -> {
            lock.lock();
            lock.unlock();
            return true;
        });

        held.unlock();

        assertThat(waits.get()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void reentrantLock_leaseIsLost_unlockThrowsAndLockIsRejected(Size size) {
        Holdfast client = client(size);
        ReentrantDistributedLock lock = ReentrantDistributedLock.of(client.lock(resource, OPTIONS));
        lock.lock();
        lock.lock();

        client.close();

        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThatThrownBy(lock::lock).isInstanceOf(LeaseLostException.class);
        lock.unlock();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        assertThat(lock.holdCount()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void ownedLock_acquiredTwiceByOneOwner_isFreeAfterTheSecondRelease(Size size) throws Exception {
        OwnedLock lock = OwnedLock.of(client(size).lock(resource, OPTIONS));

        Lease first = lock.by("request 7").acquire().lease();
        OwnedLease second = inAnotherThread(() -> lock.by("request 7").acquire());
        assertThat(second.lease()).isSameAs(first);
        assertThat(lock.by("request 8").tryAcquire()).isEmpty();
        CompletableFuture<OwnedLease> next = lock.by("request 8").acquireAsync();
        assertThat(lock.by("request 8").acquireAsync()).isCompletedExceptionally();

        second.close();
        assertThat(next).isNotDone();
        lock.release("request 7");

        Lease theirs = next.get().lease();
        assertThat(theirs.fencingToken().isAbove(first.fencingToken())).isTrue();
        assertThat(lock.lease("request 7")).isEmpty();
        lock.release("request 8");
    }

    @ParameterizedTest
    @EnumSource
    void ownedLock_cancelled_leavesNothing(Size size) throws Exception {
        OwnedLock lock = OwnedLock.of(client(size).lock(resource, OPTIONS));
        lock.by("first").acquire();
        CompletableFuture<OwnedLease> second = lock.by("second").acquireAsync();

        second.cancel(true);
        lock.release("first");

        lock.by("third").acquire();
        assertThat(lock.depth("third")).isEqualTo(1);
        assertThat(lock.depth("second")).isZero();
        lock.release("third");
    }

    @ParameterizedTest
    @EnumSource
    void semaphore_threePermits_grantsThreeAmongAllClients(Size size) throws Exception {
        DistributedSemaphore here = DistributedSemaphore.of(client(size), resource, 3, OPTIONS);
        DistributedSemaphore there = DistributedSemaphore.of(client(size), resource, 3, OPTIONS);
        List<Lease> held = new ArrayList<>(List.of(here.acquire(), there.acquire(), here.acquire()));

        assertThat(held.stream().map(Lease::resource)).doesNotHaveDuplicates();
        assertThat(here.tryAcquire()).isEmpty();
        assertThat(there.tryAcquire()).isEmpty();
        CompletableFuture<Lease> fourth = there.acquireAsync();
        held.remove(1).close();

        held.add(fourth.get());
        assertThat(held.stream().map(Lease::resource)).doesNotHaveDuplicates();
        assertThat(here.tryAcquire()).isEmpty();
    }

    /** Waiters for several slots release the slots that they do not need. */
    @ParameterizedTest
    @EnumSource
    void semaphore_manyWaiters_neverExceedsItsPermitsAndServesAll(Size size) throws Exception {
        DistributedSemaphore semaphore = DistributedSemaphore.of(client(size), resource, 2, OPTIONS);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            all.add(semaphore.acquireAsync().thenAccept(lease -> {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                inside.decrementAndGet();
                lease.close();
            }));
        }

        CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).get();

        assertThat(most).hasValueLessThanOrEqualTo(2);
        Lease one = semaphore.acquire();
        Lease two = semaphore.acquire();
        assertThat(one.resource()).isNotEqualTo(two.resource());
    }

    @ParameterizedTest
    @EnumSource
    void multiLock_oneLockIsHeld_acquiresNone(Size size) throws InterruptedException {
        Holdfast other = client(size);
        Lease held = other.lock(resource + "b", OPTIONS).acquire();
        MultiLock set = MultiLock.of(client(size), List.of(resource + "c", resource + "a", resource + "b"), OPTIONS);

        assertThat(set.tryAcquire()).isEmpty();

        assertThat(other.lock(resource + "a", OPTIONS).acquire().release()).isNotNull();
        held.release();
        try (MultiLease leases = set.acquire()) {
            assertThat(leases.all())
                    .extracting(Lease::resource)
                    .containsExactly(resource + "a", resource + "b", resource + "c");
            assertThat(leases.of(resource + "b").fencingToken().isAbove(held.fencingToken()))
                    .isTrue();
            assertThat(other.lock(resource + "c", OPTIONS).tryAcquire()).isEmpty();
        }
        assertThat(other.lock(resource + "c", OPTIONS).acquire().state().isValid())
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void multiLock_oppositeOrders_doNotDeadlock(Size size) throws Exception {
        MultiLock oneWay = MultiLock.of(client(size), List.of(resource + "a", resource + "b"), OPTIONS);
        MultiLock otherWay = MultiLock.of(client(size), List.of(resource + "b", resource + "a"), OPTIONS);
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            MultiLock set = i % 2 == 0 ? oneWay : otherWay;
            all.add(set.acquireAsync().thenAccept(MultiLease::close));
        }

        CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).get();
    }

    @ParameterizedTest
    @EnumSource
    void election_leaderResignsOrCloses_otherCandidateLeads(Size size) {
        Holdfast first = client(size);
        Holdfast second = client(size);
        Elected one = new Elected();
        Elected two = new Elected();
        LeaderElection here = LeaderElection.start(first.lock(resource, OPTIONS), one);
        eventually("the only candidate leads", () -> one.elected.get() == 1);
        LeaderElection there = LeaderElection.start(second.lock(resource, OPTIONS), two);

        // A candidate that resigns before the other is queued may be elected again.
        eventually("the other one leads after a resignation", () -> {
            here.resign();
            return two.elected.get() == 1;
        });
        assertThat(here.leadership()).isEmpty();
        int before = one.elected.get();
        second.close();
        eventually("the deposed leader is notified", () -> two.deposed.get() == 1);
        eventually("the first one leads again", () -> one.elected.get() == before + 1);

        assertThat(there.leadership()).isEmpty();
        assertThat(here.leadership()).isPresent();
        assertThat(here.isLeader()).isTrue();
        assertThat(one.deposed).hasValue(0);
        here.close();
        there.close();
        assertThat(one.resigned).as("once for each term").hasValue(before + 1);
        assertThat(two.resigned).hasValue(0);
    }

    private interface Task<T> {
        T run() throws Exception;
    }

    private static <T> T inAnotherThread(Task<T> task) throws Exception {
        return CompletableFuture.supplyAsync(() -> {
                    try {
                        return task.run();
                    } catch (RuntimeException e) {
                        throw e;
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                })
                .get();
    }
}
