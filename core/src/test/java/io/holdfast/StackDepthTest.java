package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.locks.MultiLease;
import io.holdfast.locks.MultiLock;
import io.holdfast.locks.OwnedLease;
import io.holdfast.locks.OwnedLock;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Calls at every depth of a stack: each is carried out, or has no effect. */
class StackDepthTest {

    /** Frames of the smallest kind, beyond the room that a call needs. */
    private static final int DEEPEST = 3_000;

    /**
     * With less room, the call itself cannot begin: some frames of the interpreter, which are larger than compiled
     * ones.
     */
    private static final int ENTERS = 30;

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(7));
    private final DistributedLock lock = holdfast.lock(
            "a", LockOptions.builder().lease(Duration.ofSeconds(3)).build());

    @Test
    void acquire_anyDepth_isGrantedOrHasNoEffect() {
        for (int room = 1; room < DEEPEST; room += 1 + room / 20) {
            CompletableFuture<Lease> waiter = holderAndWaiter();

            Throwable failure = InStack.withRoom(room, lock::tryAcquireAsync);

            assertThat(failure).isIn(null, failure instanceof StackOverflowError ? failure : "no other");
            release(waiter);
        }
    }

    @Test
    void acquire_ownedLockAtAnyDepth_isGrantedOrHasNoEffect() {
        OwnedLock owned = OwnedLock.of(lock);
        for (int room = ENTERS; room < DEEPEST; room += 1 + room / 20) {
            List<CompletableFuture<OwnedLease>> requests = new ArrayList<>();
            InStack.withRoom(room, () -> requests.add(owned.by("me").acquireAsync()));
            time.settle();
            requests.add(owned.by("me").acquireAsync());
            time.settle();

            for (CompletableFuture<OwnedLease> request : requests) {
                Completed.value(request).releaseAsync();
            }
            time.settle();
            assertThat(owned.depth("me")).as("with room for " + room).isZero();
        }
    }

    @Test
    void release_anyDepth_isCarriedOutSoon() {
        for (int room = ENTERS; room < DEEPEST; room += 1 + room / 20) {
            CompletableFuture<Lease> holder = lock.acquireAsync();
            time.settle();
            CompletableFuture<Lease> waiter = lock.acquireAsync();
            time.advance(Duration.ofMillis(100));

            Throwable failure = InStack.withRoom(room, Completed.value(holder)::close);

            assertThat(failure).isNull();
            time.advance(Duration.ofSeconds(2));
            assertThat(waiter).as("with room for " + room).isCompleted();
            release(waiter);
        }
    }

    @Test
    void close_severalLocksAtAnyDepth_isCarriedOutSoon() {
        MultiLock locks = MultiLock.of(holdfast, List.of("a", "b"), lock.options());
        for (int room = ENTERS; room < DEEPEST; room += 1 + room / 20) {
            CompletableFuture<MultiLease> all = locks.acquireAsync();
            time.settle();

            Throwable failure = InStack.withRoom(room, Completed.value(all)::close);

            assertThat(failure).isNull();
            time.advance(Duration.ofSeconds(2));
            String held = "with room for " + room;
            nodes.forEach(node -> assertThat(node.ownerOf("a")).as(held).isNull());
            nodes.forEach(node -> assertThat(node.ownerOf("b")).as(held).isNull());
        }
    }

    private CompletableFuture<Lease> holderAndWaiter() {
        CompletableFuture<Lease> holder = lock.acquireAsync();
        time.settle();
        CompletableFuture<Lease> waiter = lock.acquireAsync();
        time.settle();
        Completed.value(holder).releaseAsync();
        return waiter;
    }

    private void release(CompletableFuture<Lease> waiter) {
        time.advance(Duration.ofSeconds(1));
        Completed.value(waiter).releaseAsync();
        time.advance(Duration.ofSeconds(1));
        nodes.forEach(node -> assertThat(node.ownerOf("a")).isNull());
    }
}
