package io.holdfast.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Completed;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.UnreliableNode;
import io.holdfast.time.VirtualTime;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Owners that end their waits and request the lock again, and owners that lose it, in virtual time. */
class OwnedLockTest {

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(7));
    private final OwnedLock lock = OwnedLock.of(holdfast.lock("owned"));

    @Test
    @SuppressWarnings("NullAway")
    void by_nullOwner_isRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> lock.by(null))
                .withMessageStartingWith("owner is null; give each task");
    }

    /** Another thread may end the wait between the grant and its delivery, and request the lock again. */
    @Test
    void enter_waitHasEndedAtTheGrant_waitsForAnotherLease() {
        OwnerTable owners = lock.owners();
        CompletableFuture<OwnedLease> wait = new CompletableFuture<>();
        OwnerTable.Entry ended = new OwnerTable.Entry("me", wait);
        owners.enter(ended);
        owners.settle(ended, granted(lock.by("another").acquireAsync()).lease());
        wait.cancel(true);
        OwnerTable.Entry again = new OwnerTable.Entry("me", new CompletableFuture<>());

        assertThat(owners.enter(again)).isSameAs(again);
        owners.settle(ended, null);

        assertThatThrownBy(() -> owners.enter(new OwnerTable.Entry("me", new CompletableFuture<>())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("waits for 'owned' already");
    }

    /** Such as an entity, whose id is set when it is stored. */
    @Test
    void close_hashOfTheOwnerHasChanged_releasesTheLock() {
        List<String> entity = new ArrayList<>();
        CompletableFuture<OwnedLease> wait = lock.by(entity).acquireAsync();
        entity.add("id");
        OwnedLease held = granted(wait);
        entity.add("version");

        held.close();

        nodes.forEach(node -> assertThat(node.ownerOf("owned")).isNull());
        assertThat(held.isValid()).isFalse();
        entity.clear();
        assertThat(lock.depth(entity)).isZero();
    }

    @Test
    void close_callerHasOverwrittenTheFuture_releasesTheLock() {
        CompletableFuture<OwnedLease> wait = lock.by("me").acquireAsync();
        OwnedLease held = granted(wait);
        wait.obtrudeException(new IllegalStateException("too late"));
        CompletableFuture<OwnedLease> again = lock.by("me").acquireAsync();

        held.close();

        assertThat(granted(again).isValid()).isTrue();
        assertThat(lock.depth("me")).isEqualTo(1);
    }

    @Test
    void acquireAsync_afterACancel_isGrantedOnce() {
        OwnedLease other = granted(lock.by("first").acquireAsync());
        CompletableFuture<OwnedLease> cancelled = lock.by("second").acquireAsync();
        time.settle();
        cancelled.cancel(true);

        CompletableFuture<OwnedLease> again = lock.by("second").acquireAsync();
        lock.release("first");
        time.advance(Duration.ofSeconds(1));

        assertThat(other.isValid()).isFalse();
        assertThat(again).isCompleted();
        assertThat(lock.depth("second")).isEqualTo(1);
    }

    @Test
    void acquireAsync_futureIsCompletedByTheCaller_ownerDoesNotHoldTheLock() {
        CompletableFuture<OwnedLease> waits = lock.by("me").acquireAsync();
        waits.completeExceptionally(new IllegalStateException("too late"));
        time.settle();

        assertThat(lock.lease("me")).isEmpty();
        assertThatThrownBy(() -> lock.release("me")).isInstanceOf(IllegalMonitorStateException.class);
        nodes.forEach(node -> assertThat(node.ownerOf("owned")).isNull());
    }

    @Test
    void acquireAsync_whileTheOwnerWaits_isRefused() {
        granted(lock.by("first").acquireAsync());
        lock.by("second").acquireAsync();

        assertThat(lock.by("second").acquireAsync())
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(IllegalStateException.class)
                .withMessageContaining("an owner does one thing at a time");
    }

    @Test
    void release_leaseOfAShortLockWasLost_throwsLeaseLost() {
        OwnedLock brief = OwnedLock.of(holdfast.lock(
                "brief",
                LockOptions.builder()
                        .lease(Duration.ofMillis(40))
                        .renewal(false)
                        .build()));
        granted(brief.by("me").acquireAsync());
        time.advance(Duration.ofMillis(40));

        assertThat(Completed.failure(brief.by("me").acquireAsync())).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> brief.release("me")).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void release_lockIsGoneFromTheNodes_throwsLeaseLost() {
        granted(lock.by("me").acquireAsync());
        nodes.forEach(node -> node.node().evict("owned"));

        assertThatThrownBy(() -> lock.release("me"))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("was lost before its release");
        assertThat(lock.depth("me")).isZero();
    }

    /** The first lock of the set is lost during the wait for the next; its margin allows no shorter extension. */
    @Test
    void multiLock_shortLeaseIsLostDuringTheNextWait_failsAndHoldsNothing() {
        CompletableFuture<Lease> other = holdfast.lock("b").acquireAsync();
        time.settle();
        LockOptions brief = LockOptions.builder()
                .lease(Duration.ofMillis(40))
                .renewal(false)
                .build();
        CompletableFuture<MultiLease> all =
                MultiLock.of(holdfast, List.of("a", "b", "c"), brief).acquireAsync();
        time.advance(Duration.ofSeconds(1));

        Completed.value(other).releaseAsync();
        time.advance(Duration.ofMillis(20));

        assertThat(Completed.failure(all)).isInstanceOf(LeaseLostException.class);
        nodes.forEach(node -> assertThat(node.ownerOf("b")).isNull());
        nodes.forEach(node -> assertThat(node.ownerOf("c")).isNull());
    }

    @Test
    void tryAcquireAsync_anotherOwnerHoldsTheLock_isEmptyAfterTheLimit() {
        granted(lock.by("first").acquireAsync());

        CompletableFuture<Optional<OwnedLease>> second = lock.by("second").tryAcquireAsync(Duration.ofSeconds(1));
        CompletableFuture<Optional<OwnedLease>> third = lock.by("third").tryAcquireAsync();
        time.advance(Duration.ofMillis(500));
        assertThat(Completed.value(third)).isEmpty();
        assertThat(second).isNotDone();
        time.advance(Duration.ofSeconds(1));

        assertThat(Completed.value(second)).isEmpty();
        assertThat(lock.isHeld("second")).isFalse();
        assertThat(lock.by("second").tryAcquireAsync()).isNotNull();
    }

    @Test
    void tryAcquireAsync_free_ownerHoldsTheLockUntilItsRelease() {
        CompletableFuture<Optional<OwnedLease>> request = lock.by("me").tryAcquireAsync();
        assertThat(lock.isHeld("me")).isFalse();
        time.settle();

        assertThat(Completed.value(request).map(OwnedLease::lease)).isEqualTo(lock.lease("me"));
        assertThat(lock.isHeld("me")).isTrue();
        assertThat(Completed.value(lock.by("me").tryAcquireAsync()).map(OwnedLease::lease))
                .isEqualTo(lock.lease("me"));
        assertThat(lock.depth("me")).isEqualTo(2);
        lock.release("me");
        lock.release("me");
        assertThat(lock.isHeld("me")).isFalse();
    }

    @Test
    void tryAcquireAsync_cancelledDuringTheGrant_leavesNothing() {
        CompletableFuture<Optional<OwnedLease>> request = lock.by("me").tryAcquireAsync();
        request.cancel(true);
        time.settle();

        assertThat(lock.lease("me")).isEmpty();
        nodes.forEach(node -> assertThat(node.ownerOf("owned")).isNull());
    }

    @Test
    void acquire_ownerHoldsTheLock_hasTheSameLeaseAtOnce() throws InterruptedException {
        OwnedLease first = granted(lock.by("me").acquireAsync());

        OwnedLease second = lock.by("me").acquire(LockOptions.DEFAULT);

        assertThat(second.lease()).isSameAs(first.lease());
        assertThat(lock.depth("me")).isEqualTo(2);
    }

    @Test
    void close_ofOneLevel_leavesTheOthers() throws InterruptedException {
        OwnedLease outer = granted(lock.by("me").acquireAsync());
        OwnedLease inner = lock.by("me").acquire();

        inner.close();
        inner.close();

        assertThat(inner.isValid()).isFalse();
        assertThat(inner.remaining()).isZero();
        assertThatThrownBy(() -> inner.ensureValidFor(Duration.ofMillis(1))).isInstanceOf(LeaseLostException.class);
        assertThat(outer.isValid()).isTrue();
        assertThat(lock.depth("me")).isEqualTo(1);
        outer.close();
        assertThat(lock.depth("me")).isZero();
        nodes.forEach(node -> assertThat(node.ownerOf("owned")).isNull());
    }

    @Test
    void call_ownerHoldsTheLock_releasesOneLevel() throws InterruptedException {
        OwnedLease outer = granted(lock.by("me").acquireAsync());

        int depth = lock.by("me").call(held -> lock.depth("me"));
        boolean ran = lock.by("me").tryRun(OwnedLease::releaseAsync);

        assertThat(depth).isEqualTo(2);
        assertThat(ran).isTrue();
        assertThat(lock.depth("me")).isEqualTo(1);
        assertThat(outer.isValid()).isTrue();
    }

    /** The loss concerns each level, not only the last one, at which the lock would have been released. */
    @Test
    void finish_ofAnInnerLevelOfALostLease_throws() throws InterruptedException {
        granted(lock.by("me").acquireAsync());
        OwnedLease inner = lock.by("me").acquire();
        OwnedLease another = lock.by("me").acquire();
        holdfast.close();

        assertThatThrownBy(inner::finish).isInstanceOf(LeaseLostException.class);
        inner.finish();
        assertThat(Completed.failure(another.finishAsync())).isInstanceOf(LeaseLostException.class);
        assertThat(lock.depth("me")).isEqualTo(1);
    }

    /** The owner may have released the lock by the other method, and may hold it again by now. */
    @Test
    void close_levelWasReleasedByTheOwner_leavesTheNextAcquisition() {
        OwnedLease first = granted(lock.by("me").acquireAsync());
        lock.release("me");
        OwnedLease second = granted(lock.by("me").acquireAsync());

        first.close();

        assertThat(second.isValid()).isTrue();
        assertThat(lock.depth("me")).isEqualTo(1);
    }

    @Test
    void onLost_levelIsReleased_isNotCalled() throws InterruptedException {
        List<String> lost = new ArrayList<>();
        granted(lock.by("me").acquireAsync()).onLost(loss -> lost.add("outer"));
        OwnedLease inner = lock.by("me").acquire();
        inner.onLost(loss -> lost.add("inner"));
        inner.close();

        holdfast.close();
        time.settle();

        assertThat(lost).containsExactly("outer");
    }

    @Test
    void tryAcquire_holderGivesANegativeLimit_isRejectedAndKeepsItsDepth() {
        granted(lock.by("me").acquireAsync());

        assertThatThrownBy(() -> lock.by("me").tryAcquire(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("waitLimit PT-1S", "zero");
        assertThat(lock.depth("me")).isEqualTo(1);
    }

    @Test
    void isHeld_leaseIsLost_isFalse() {
        granted(lock.by("me").acquireAsync());
        holdfast.close();

        assertThat(lock.isHeld("me")).isFalse();
        assertThat(lock.depth("me")).isEqualTo(1);
    }

    private OwnedLease granted(CompletableFuture<OwnedLease> request) {
        time.settle();
        return Completed.value(request);
    }

    @Test
    void onLost_afterTheClose_isForgottenWhileTheOwnerHoldsTheLock() {
        OwnedLease outer = granted(lock.by("me").acquireAsync());
        List<String> called = new ArrayList<>();

        assertThat(isForgotten(closedWithCallback(called))).isTrue();
        assertThat(isForgotten(unregistered(outer))).isTrue();
        outer.onLost(loss -> called.add("outer"));
        outer.lease().limit(Duration.ZERO);
        time.settle();
        assertThat(called).containsExactly("outer");
    }

    private static boolean isForgotten(WeakReference<Object> captured) {
        for (int i = 0; i < 20 && captured.get() != null; i++) {
            System.gc();
        }
        return captured.get() == null;
    }

    private static WeakReference<Object> unregistered(OwnedLease lease) {
        Object captured = new Object();
        lease.onLost(loss -> assertThat(captured).isNotNull()).close();
        return new WeakReference<>(captured);
    }

    private WeakReference<Object> closedWithCallback(List<String> called) {
        Object captured = new Object();
        OwnedLease inner = granted(lock.by("me").acquireAsync());
        inner.onLost(loss -> called.add("inner " + captured));
        inner.close();
        return new WeakReference<>(captured);
    }

    @Test
    void ensureValidFor_anyDurationAfterTheClose_throwsLeaseLost() {
        OwnedLease lease = granted(lock.by("me").acquireAsync());
        lease.close();

        assertThatThrownBy(() -> lease.ensureValidFor(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(LeaseLostException.class);
    }
}
