package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.time.VirtualTime;
import java.time.Duration;
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
