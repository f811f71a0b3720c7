package io.holdfast.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.UnreliableNode;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.ForwardingTime;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Owners that end their waits and request the lock again, and owners that lose it, in virtual time. */
class OwnedLockTest {

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(7));
    private final OwnedLock lock = OwnedLock.of(holdfast.lock("owned"));

    @Test
    void acquireAsync_cancelledDuringTheGrantAndRequestedAgain_deliversAnotherLease() {
        Hasty owner = new Hasty(lock);
        CompletableFuture<Lease> first = lock.acquireAsync(owner);
        owner.wait = first;

        time.advance(Duration.ofSeconds(1));

        assertThat(first).isCancelled();
        CompletableFuture<Lease> second = Objects.requireNonNull(owner.again);
        assertThat(second).isCompleted();
        assertThat(lock.lease(owner)).contains(second.join());
        assertThat(second.join().state().isValid()).isTrue();
        assertThat(lock.depth(owner)).isEqualTo(1);
        lock.release(owner);
        nodes.forEach(node -> assertThat(node.ownerOf("owned")).isNull());
    }

    /** An owner that ends its wait during the look-up that delivers its lease, and requests the lock again at the next look-up. */
    private static final class Hasty {

        private final OwnedLock lock;
        private @Nullable CompletableFuture<Lease> wait;
        private @Nullable CompletableFuture<Lease> again;

        Hasty(OwnedLock lock) {
            this.lock = lock;
        }

        @Override
        public int hashCode() {
            CompletableFuture<Lease> begun = wait;
            if (begun != null && !begun.isDone()) {
                begun.cancel(true);
            } else if (begun != null && begun.isCancelled() && again == null) {
                wait = null;
                again = lock.acquireAsync(this);
            }
            return 1;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }
    }

    @Test
    @SuppressWarnings("NullAway")
    void acquire_nullOwner_isRefusedAndHoldsNothing() {
        assertThatNullPointerException()
                .isThrownBy(() -> lock.tryAcquire(null))
                .withMessageStartingWith("owner is null; give");
        assertThatNullPointerException().isThrownBy(() -> lock.acquire(null)).withMessageStartingWith("owner is null");
        assertThatNullPointerException()
                .isThrownBy(() -> lock.acquireAsync(null))
                .withMessageStartingWith("owner is null");

        nodes.forEach(node -> assertThat(node.ownerOf("owned")).isNull());
    }

    @Test
    void acquireAsync_afterACancel_isGrantedOnce() {
        Lease other = granted(lock.acquireAsync("first"));
        CompletableFuture<Lease> cancelled = lock.acquireAsync("second");
        time.settle();
        cancelled.cancel(true);

        CompletableFuture<Lease> again = lock.acquireAsync("second");
        lock.release("first");
        time.advance(Duration.ofSeconds(1));

        assertThat(other.state().isValid()).isFalse();
        assertThat(again).isCompleted();
        assertThat(lock.depth("second")).isEqualTo(1);
    }

    @Test
    void acquireAsync_futureIsCompletedByTheCaller_ownerDoesNotHoldTheLock() {
        CompletableFuture<Lease> waits = lock.acquireAsync("me");
        waits.completeExceptionally(new IllegalStateException("too late"));
        time.settle();

        assertThat(lock.lease("me")).isEmpty();
        assertThatThrownBy(() -> lock.release("me")).isInstanceOf(IllegalMonitorStateException.class);
        nodes.forEach(node -> assertThat(node.ownerOf("owned")).isNull());
    }

    @Test
    void acquireAsync_whileTheOwnerWaits_isRefused() {
        granted(lock.acquireAsync("first"));
        lock.acquireAsync("second");

        assertThatThrownBy(() -> lock.acquireAsync("second"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("an owner does one thing at a time");
    }

    @Test
    void release_leaseOfAShortLockWasLost_throwsLeaseLost() {
        OwnedLock brief = OwnedLock.of(holdfast.lock(
                "brief",
                LockOptions.builder()
                        .lease(Duration.ofMillis(40))
                        .renewal(false)
                        .build()));
        granted(brief.acquireAsync("me"));
        time.advance(Duration.ofMillis(40));

        assertThatThrownBy(() -> brief.acquireAsync("me")).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> brief.release("me")).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void release_lockIsGoneFromTheNodes_throwsLeaseLost() {
        granted(lock.acquireAsync("me"));
        nodes.forEach(node -> node.node().evict("owned"));

        assertThatThrownBy(() -> lock.release("me"))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("was lost before its release");
        assertThat(lock.depth("me")).isZero();
    }

    /** The first lock of the set is lost during the wait for the next; its margin allows no shorter extension. */
    @Test
    void multiLock_shortLeaseIsLostDuringTheNextWait_failsAndHoldsNothing() {
        Lease other = granted(holdfast.lock("b").acquireAsync());
        LockOptions brief = LockOptions.builder()
                .lease(Duration.ofMillis(40))
                .renewal(false)
                .build();
        CompletableFuture<MultiLease> all =
                MultiLock.of(holdfast, List.of("a", "b", "c"), brief).acquireAsync();
        time.advance(Duration.ofSeconds(1));

        other.releaseAsync();
        time.advance(Duration.ofMillis(20));

        assertThatThrownBy(all::join).hasCauseInstanceOf(LeaseLostException.class);
        nodes.forEach(node -> assertThat(node.ownerOf("b")).isNull());
        nodes.forEach(node -> assertThat(node.ownerOf("c")).isNull());
    }

    @Test
    void tryAcquireAsync_anotherOwnerHoldsTheLock_isEmptyAfterTheLimit() {
        granted(lock.acquireAsync("first"));

        CompletableFuture<Optional<Lease>> second = lock.tryAcquireAsync("second", Duration.ofSeconds(1));
        CompletableFuture<Optional<Lease>> third = lock.tryAcquireAsync("third");
        time.advance(Duration.ofMillis(500));
        assertThat(third.join()).isEmpty();
        assertThat(second).isNotDone();
        time.advance(Duration.ofSeconds(1));

        assertThat(second.join()).isEmpty();
        assertThat(lock.isHeld("second")).isFalse();
        assertThat(lock.tryAcquireAsync("second")).isNotNull();
    }

    @Test
    void tryAcquireAsync_free_ownerHoldsTheLockUntilItsRelease() {
        CompletableFuture<Optional<Lease>> request = lock.tryAcquireAsync("me");
        assertThat(lock.isHeld("me")).isFalse();
        time.settle();

        assertThat(request.join()).isEqualTo(lock.lease("me"));
        assertThat(lock.isHeld("me")).isTrue();
        assertThat(lock.tryAcquireAsync("me").join()).isEqualTo(lock.lease("me"));
        assertThat(lock.depth("me")).isEqualTo(2);
        lock.release("me");
        lock.release("me");
        assertThat(lock.isHeld("me")).isFalse();
    }

    @Test
    void tryAcquireAsync_cancelledDuringTheGrant_leavesNothing() {
        CompletableFuture<Optional<Lease>> request = lock.tryAcquireAsync("me");
        request.cancel(true);
        time.settle();

        assertThat(lock.lease("me")).isEmpty();
        nodes.forEach(node -> assertThat(node.ownerOf("owned")).isNull());
    }

    @Test
    void acquire_withOptions_leaseHasTheirLength() throws InterruptedException {
        LockOptions brief = LockOptions.builder().lease(Duration.ofSeconds(2)).build();
        List<InMemoryNode> memory = List.of(new InMemoryNode("a", time));
        OwnedLock blocking = OwnedLock.of(Holdfast.forTesting(memory, new ImmediateTime(time), new Random(1))
                .lock("owned"));

        Lease lease = blocking.acquire("me", brief);

        assertThat(lease.remaining()).isLessThan(Duration.ofSeconds(2));
        assertThat(blocking.acquire("me", LockOptions.DEFAULT)).isSameAs(lease);
        assertThat(blocking.tryAcquire("other", Duration.ZERO)).isEmpty();
    }

    @Test
    void tryAcquire_holderGivesANegativeLimit_isRejectedAndKeepsItsDepth() {
        granted(lock.acquireAsync("me"));

        assertThatThrownBy(() -> lock.tryAcquire("me", Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("waitLimit PT-1S", "zero");
        assertThat(lock.depth("me")).isEqualTo(1);
    }

    @Test
    void isHeld_leaseIsLost_isFalse() {
        granted(lock.acquireAsync("me"));
        holdfast.close();

        assertThat(lock.isHeld("me")).isFalse();
        assertThat(lock.depth("me")).isEqualTo(1);
    }

    private Lease granted(CompletableFuture<Lease> request) {
        time.settle();
        return request.join();
    }

    /** Virtual time whose threads start at once, so that a test can block for what is ready. */
    private static final class ImmediateTime extends ForwardingTime {

        ImmediateTime(Time virtual) {
            super(virtual);
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }
    }
}
