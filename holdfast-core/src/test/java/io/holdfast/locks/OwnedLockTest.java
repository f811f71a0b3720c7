package io.holdfast.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.UnreliableNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Owners that end their waits and ask again, and sets of locks of which one is lost, in virtual time. */
class OwnedLockTest {

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(7));
    private final OwnedLock lock = OwnedLock.of(holdfast.lock("owned"));

    @Test
    void acquireAsync_ownerCancelsJustAsItIsGrantedAndAsksAgain_isNotGivenTheLeaseThatIsReleased() {
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

    /** An owner that ends its wait while the lock looks it up to give it the lease, and asks again at the next look. */
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
    void acquireAsync_afterACancel_isTheOnlyOneThatIsGranted() {
        Lease inTheWay = granted(lock.acquireAsync("first"));
        CompletableFuture<Lease> cancelled = lock.acquireAsync("second");
        time.settle();
        cancelled.cancel(true);

        CompletableFuture<Lease> again = lock.acquireAsync("second");
        lock.release("first");
        time.advance(Duration.ofSeconds(1));

        assertThat(inTheWay.state().isValid()).isFalse();
        assertThat(again).isCompleted();
        assertThat(lock.depth("second")).isEqualTo(1);
    }

    @Test
    void acquireAsync_futureIsCompletedWithSomethingElse_theOwnerIsNotInside() {
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

    /** The lock of the set that was taken first is lost while the next is waited for; its margin allows no shorter extension. */
    @Test
    void lockSet_shortLeaseIsLostWhileTheNextIsWaitedFor_failsAndKeepsNone() {
        Lease inTheWay = granted(holdfast.lock("b").acquireAsync());
        LockOptions brief = LockOptions.builder()
                .lease(Duration.ofMillis(40))
                .renewal(false)
                .build();
        CompletableFuture<MultiLease> set =
                MultiLock.of(holdfast, List.of("a", "b", "c"), brief).acquireAsync();
        time.advance(Duration.ofSeconds(1));

        inTheWay.releaseAsync();
        time.advance(Duration.ofMillis(20));

        assertThatThrownBy(set::join).hasCauseInstanceOf(LeaseLostException.class);
        nodes.forEach(node -> assertThat(node.ownerOf("b")).isNull());
        nodes.forEach(node -> assertThat(node.ownerOf("c")).isNull());
    }

    private Lease granted(CompletableFuture<Lease> asked) {
        time.settle();
        return asked.join();
    }
}
