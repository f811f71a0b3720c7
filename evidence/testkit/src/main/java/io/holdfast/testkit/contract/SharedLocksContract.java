package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DetachedLease;
import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.locks.ReentrantDistributedLock;
import io.holdfast.locks.ReentrantDistributedReadWriteLock;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.WakeUp;
import io.holdfast.servers.PatientOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A contract for shared locks, on nodes of any kind and number. */
public abstract class SharedLocksContract extends ClientsContract {

    private static final LockOptions OPTIONS = PatientOptions.LOCK;

    private final String resource = "shared:{" + UUID.randomUUID() + "}";

    private DistributedLock exclusive(Size size) {
        return client(size).lock(resource, OPTIONS);
    }

    private DistributedLock shared(Size size) {
        return exclusive(size).shared();
    }

    @ParameterizedTest
    @EnumSource
    void acquire_heldShared_isGrantedOnlyInSharedMode(Size size) throws Exception {
        Lease one = shared(size).acquire();
        Lease two = shared(size).acquire();

        assertThat(one.isShared() && two.isShared()).isTrue();
        assertThat(two.fencingToken().isAbove(one.fencingToken())).isTrue();
        assertThat(exclusive(size).tryAcquire()).isEmpty();
        one.close();
        assertThat(exclusive(size).tryAcquire()).isEmpty();
        two.close();

        Lease three = exclusive(size).acquire();
        assertThat(three.fencingToken().isAbove(two.fencingToken())).isTrue();
        assertThat(three.isShared()).isFalse();
        assertThat(shared(size).tryAcquire()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void acquireShared_writerWaits_isGrantedAfterTheWriter(Size size) throws Exception {
        Lease reads = shared(size).acquire();
        DistributedLock writing = exclusive(size);
        // The writer learns the clocks of the nodes. Without them, it would be queued behind readers that know them.
        assertThat(writing.tryAcquire()).isEmpty();
        CompletableFuture<Lease> writer = writing.acquireAsync();
        DistributedLock late = shared(size);
        Holdfast observer = client(size);
        eventually("the writer is queued on all nodes", () -> isWaitedFor(observer));
        // Other readers are granted until the writer is queued.
        eventually("no reader overtakes the writer", () -> {
            Lease early = late.tryAcquire().orElse(null);
            if (early != null) {
                early.close();
            }
            return early == null;
        });
        List<CompletableFuture<Lease>> readers = List.of(
                shared(size).acquireAsync(),
                shared(size).acquireAsync(),
                shared(size).acquireAsync());

        readers.forEach(reader -> reader.thenAccept(early -> {
            if (!writer.isDone()) {
                early.releaseAsync();
            }
        }));

        long released = System.nanoTime();
        reads.close();
        Lease writes = writer.get();
        // On a machine that is slower than that, the lock goes to the first client that asks, which may be a reader.
        boolean isReserved = System.nanoTime() - released < WakeUp.RESERVATION.toNanos();
        assertThat(isReserved && readers.stream().anyMatch(CompletableFuture::isDone))
                .isFalse();
        writes.close();

        for (CompletableFuture<Lease> reader : readers) {
            assertThat(reader.get().isShared()).isTrue();
        }
        assertThat(isReserved && exclusive(size).tryAcquire().isPresent()).isFalse();
    }

    private boolean isWaitedFor(Holdfast observer) {
        return observer.admin().status(resource).nodes().stream()
                .map(NodeAnswer::value)
                .filter(Objects::nonNull)
                .allMatch(node -> !node.queue().isEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void release_sharedWithATimeToKeep_excludesExclusiveHoldersForThatTime(Size size) throws Exception {
        Duration keep = Duration.ofMillis(700);
        Lease reads = shared(size).acquire();
        CompletableFuture<Lease> writer = exclusive(size).acquireAsync();
        long begun = System.nanoTime();

        assertThat(reads.release(keep)).isEqualTo(ReleaseOutcome.RELEASED);

        writer.get();
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isGreaterThan(keep.multipliedBy(9).dividedBy(10));
    }

    /** Regression seen in another library: after a downgrade, waiting readers were not notified for half a minute. */
    @ParameterizedTest
    @EnumSource
    void downgrade_readersWait_areNotified(Size size) throws Exception {
        Lease lease = exclusive(size).acquire();
        List<CompletableFuture<Lease>> readers =
                List.of(shared(size).acquireAsync(), shared(size).acquireAsync());
        DistributedLock writes = exclusive(size);
        assertThat(writes.tryAcquire()).isEmpty();
        assertThat(readers).noneMatch(CompletableFuture::isDone);

        assertThat(lease.downgrade()).isTrue();

        for (CompletableFuture<Lease> reader : readers) {
            Lease shared = reader.get();
            assertThat(shared.fencingToken().isAbove(lease.fencingToken())).isTrue();
            shared.close();
        }
        assertThat(lease.isShared()).isTrue();
        assertThat(writes.tryAcquire()).isEmpty();
        assertThat(lease.extend(OPTIONS.lease())).isTrue();
        lease.close();
        writes.acquire().close();
    }

    /** The shared hold keeps the time left of the exclusive one, even if another shared hold has come and gone. */
    @ParameterizedTest
    @EnumSource
    void downgrade_afterAnExtension_keepsTheTimeLeft(Size size) throws Exception {
        LockOptions once = OPTIONS.toBuilder().renewal(false).build();
        Lease lease = client(size).lock(resource, once).acquire();
        assertThat(lease.extend(Duration.ofMinutes(10))).isTrue();
        assertThat(lease.downgrade()).isTrue();

        shared(size).acquire().close();

        DistributedLock writes = exclusive(size);
        assertThatThrownBy(() -> writes.acquire(Duration.ZERO))
                .isInstanceOfSatisfying(
                        LockTimeoutException.class,
                        held -> assertThat(held.remainingHold())
                                .hasValueSatisfying(left -> assertThat(left).isGreaterThan(OPTIONS.lease())));
        assertThat(lease.remaining()).isGreaterThan(OPTIONS.lease());
    }

    @ParameterizedTest
    @EnumSource
    void attach_sharedLease_isShared(Size size) throws Exception {
        Holdfast other = client(size);
        DetachedLease handle = shared(size).acquire().detach();

        Lease resumed = other.attach(DetachedLease.parse(handle.text()), OPTIONS);

        assertThat(resumed.isShared()).isTrue();
        shared(size).acquire().close();
        assertThat(exclusive(size).tryAcquire()).isEmpty();
        resumed.close();
        assertThat(exclusive(size).tryAcquire()).isPresent();
    }

    @ParameterizedTest
    @EnumSource
    void acquire_readersAndWriters_writerIsAlwaysExclusive(Size size) throws Exception {
        Random random = new Random(size.nodes());
        List<DistributedLock> locks = List.of(exclusive(size), exclusive(size), exclusive(size));
        AtomicInteger readers = new AtomicInteger();
        AtomicInteger writers = new AtomicInteger();
        AtomicInteger clashes = new AtomicInteger();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            boolean writes = random.nextInt(3) == 0;
            DistributedLock lock = locks.get(i % locks.size());
            all.add((writes ? lock : lock.shared()).acquireAsync().thenAccept(lease -> {
                AtomicInteger group = writes ? writers : readers;
                int count = group.incrementAndGet();
                boolean clash = writes ? count > 1 || readers.get() > 0 : writers.get() > 0;
                clashes.addAndGet(clash ? 1 : 0);
                group.decrementAndGet();
                lease.close();
            }));
        }

        CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).get();

        assertThat(clashes).hasValue(0);
        exclusive(size).acquire().close();
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("LockNotBeforeTry") // The test checks where the lock is unlocked.
    void readWriteLock_writerAlsoReads_downgradesAtWriteUnlock(Size size) throws Exception {
        ReentrantDistributedReadWriteLock lock = ReentrantDistributedReadWriteLock.of(exclusive(size));
        ReentrantDistributedLock reading = lock.readLock();
        ReentrantDistributedLock writing = lock.writeLock();
        ReentrantDistributedLock elsewhere =
                ReentrantDistributedReadWriteLock.of(exclusive(size)).readLock();

        writing.lock();
        reading.lock();
        reading.lock();
        assertThat(elsewhere.tryLock()).isFalse();
        writing.unlock();

        assertThat(reading.holdCount()).isEqualTo(2);
        assertThat(writing.holdCount()).isZero();
        elsewhere.lock();
        assertThat(elsewhere.lease().orElseThrow().isShared()).isTrue();
        assertThatThrownBy(writing::lock).isInstanceOf(IllegalStateException.class);
        reading.unlock();
        reading.unlock();
        assertThatThrownBy(reading::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThat(writing.tryLock()).isFalse();
        elsewhere.unlock();

        writing.lock();
        writing.unlock();
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("LockNotBeforeTry") // The test checks where the lock is unlocked.
    void readWriteLock_readUnlockedBeforeWrite_isReleasedAtTheLastUnlock(Size size) {
        ReentrantDistributedReadWriteLock lock = ReentrantDistributedReadWriteLock.of(exclusive(size));
        ReentrantDistributedLock reading = lock.readLock();
        ReentrantDistributedLock writing = lock.writeLock();
        ReentrantDistributedLock elsewhere =
                ReentrantDistributedReadWriteLock.of(exclusive(size)).readLock();

        writing.lock();
        reading.lock();
        reading.unlock();
        assertThat(elsewhere.tryLock()).isFalse();
        writing.unlock();

        elsewhere.lock();
        elsewhere.unlock();
    }
}
