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
import io.holdfast.locks.ReentrantDistributedLock;
import io.holdfast.locks.ReentrantDistributedReadWriteLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks that are shared: what is promised for nodes of every kind and number. */
public abstract class SharedLocksContract extends ClientsContract {

    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final LockOptions OPTIONS = LockOptions.builder()
            .lease(Duration.ofSeconds(20))
            .waitLimit(PATIENCE)
            .nodeTimeout(Duration.ofSeconds(1))
            .build();

    private final String resource = "shared:{" + UUID.randomUUID() + "}";

    private DistributedLock alone(Size size) {
        return client(size).lock(resource, OPTIONS);
    }

    private DistributedLock shared(Size size) {
        return alone(size).shared();
    }

    @ParameterizedTest
    @EnumSource
    void shared_heldShared_isGranted_alone_isNot(Size size) throws Exception {
        Lease one = shared(size).acquire();
        Lease two = shared(size).acquire();

        assertThat(one.isShared() && two.isShared()).isTrue();
        assertThat(two.fencingToken().isAbove(one.fencingToken())).isTrue();
        assertThat(alone(size).tryAcquire()).isEmpty();
        one.close();
        assertThat(alone(size).tryAcquire()).isEmpty();
        two.close();

        Lease three = alone(size).acquire();
        assertThat(three.fencingToken().isAbove(two.fencingToken())).isTrue();
        assertThat(three.isShared()).isFalse();
        assertThat(shared(size).tryAcquire()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void shared_somebodyWaitsToBeAlone_isServedAfterThatOne(Size size) throws Exception {
        Lease reads = shared(size).acquire();
        CompletableFuture<Lease> writer = alone(size).acquireAsync();
        DistributedLock late = shared(size);
        // Until the writer stands in line, others may come in.
        eventually("nobody passes the writer", () -> {
            Lease passed = late.tryAcquire().orElse(null);
            if (passed != null) {
                passed.close();
            }
            return passed == null;
        });
        List<CompletableFuture<Lease>> readers = List.of(
                shared(size).acquireAsync(),
                shared(size).acquireAsync(),
                shared(size).acquireAsync());

        reads.close();
        Lease writes = writer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(readers).noneMatch(CompletableFuture::isDone);
        writes.close();

        for (CompletableFuture<Lease> reader : readers) {
            assertThat(reader.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).isShared())
                    .isTrue();
        }
        assertThat(alone(size).tryAcquire()).isEmpty();
    }

    /** Field notes: a downgrade in another library left those who wait asleep for half a minute. */
    @ParameterizedTest
    @EnumSource
    void downgrade_othersWaitForAShare_areWoken(Size size) throws Exception {
        Lease lease = alone(size).acquire();
        List<CompletableFuture<Lease>> readers =
                List.of(shared(size).acquireAsync(), shared(size).acquireAsync());
        DistributedLock writes = alone(size);
        assertThat(writes.tryAcquire()).isEmpty();
        assertThat(readers).noneMatch(CompletableFuture::isDone);

        assertThat(lease.downgrade()).isTrue();

        for (CompletableFuture<Lease> reader : readers) {
            Lease share = reader.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(share.fencingToken().isAbove(lease.fencingToken())).isTrue();
            share.close();
        }
        assertThat(lease.isShared()).isTrue();
        assertThat(writes.tryAcquire()).isEmpty();
        assertThat(lease.extend(Duration.ofSeconds(30))).isTrue();
        lease.close();
        writes.acquire().close();
    }

    /** The share lasts for as long as the lock did that became shared, also when another share has come and gone. */
    @ParameterizedTest
    @EnumSource
    void downgrade_afterAnExtension_lastsAsLongAsTheLease(Size size) throws Exception {
        LockOptions brief = OPTIONS.toBuilder().lease(Duration.ofSeconds(4)).renewal(false).build();
        Lease lease = client(size).lock(resource, brief).acquire();
        assertThat(lease.extend(Duration.ofSeconds(40))).isTrue();
        assertThat(lease.downgrade()).isTrue();

        shared(size).acquire().close();

        DistributedLock writes = alone(size);
        assertThatThrownBy(() -> writes.acquire(Duration.ZERO))
                .isInstanceOfSatisfying(
                        LockTimeoutException.class,
                        held -> assertThat(held.remainingHold())
                                .hasValueSatisfying(left -> assertThat(left).isGreaterThan(Duration.ofSeconds(10))));
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @EnumSource
    void resume_aShare_isAShare(Size size) throws Exception {
        Holdfast other = client(size);
        DetachedLease handle = shared(size).acquire().detach();

        Lease resumed = other.attach(DetachedLease.parse(handle.text()), OPTIONS);

        assertThat(resumed.isShared()).isTrue();
        shared(size).acquire().close();
        assertThat(alone(size).tryAcquire()).isEmpty();
        resumed.close();
        assertThat(alone(size).tryAcquire()).isPresent();
    }

    @ParameterizedTest
    @EnumSource
    void anyMix_ofReadersAndWriters_neverWritesBesideAnother(Size size) throws Exception {
        Random random = new Random(size.nodes());
        List<DistributedLock> locks = List.of(alone(size), alone(size), alone(size));
        AtomicInteger readers = new AtomicInteger();
        AtomicInteger writers = new AtomicInteger();
        AtomicInteger clashes = new AtomicInteger();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            boolean writes = random.nextInt(3) == 0;
            DistributedLock lock = locks.get(i % locks.size());
            all.add((writes ? lock : lock.shared()).acquireAsync().thenAccept(lease -> {
                AtomicInteger mine = writes ? writers : readers;
                int same = mine.incrementAndGet();
                boolean clash = writes ? same > 1 || readers.get() > 0 : writers.get() > 0;
                clashes.addAndGet(clash ? 1 : 0);
                mine.decrementAndGet();
                lease.close();
            }));
        }

        CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

        assertThat(clashes).hasValue(0);
        alone(size).acquire().close();
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("LockNotBeforeTry") // Where it is unlocked is what is tested.
    void threadReadWriteLock_writesAndReads_goesOnReading(Size size) throws Exception {
        ReentrantDistributedReadWriteLock lock = ReentrantDistributedReadWriteLock.of(alone(size));
        ReentrantDistributedLock reading = lock.readLock();
        ReentrantDistributedLock writing = lock.writeLock();
        ReentrantDistributedLock elsewhere =
                ReentrantDistributedReadWriteLock.of(alone(size)).readLock();

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
    @SuppressWarnings("LockNotBeforeTry") // Where it is unlocked is what is tested.
    void threadReadWriteLock_readingEndsBeforeWriting_endsAtTheLastUnlock(Size size) {
        ReentrantDistributedReadWriteLock lock = ReentrantDistributedReadWriteLock.of(alone(size));
        ReentrantDistributedLock reading = lock.readLock();
        ReentrantDistributedLock writing = lock.writeLock();
        ReentrantDistributedLock elsewhere =
                ReentrantDistributedReadWriteLock.of(alone(size)).readLock();

        writing.lock();
        reading.lock();
        reading.unlock();
        assertThat(elsewhere.tryLock()).isFalse();
        writing.unlock();

        elsewhere.lock();
        elsewhere.unlock();
    }
}
