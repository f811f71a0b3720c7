package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.LeaseState;
import io.holdfast.node.Claim;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Callers that end their future at any moment and in any way: the lock still has one holder. */
class CancelledAcquireTest {

    private static final String LOCK = "a";

    private final VirtualTime time = new VirtualTime();
    private final List<InMemoryNode> nodes = IntStream.range(0, 3)
            .mapToObj(i -> new InMemoryNode("node-" + i, time))
            .toList();
    private final Holdfast client = Holdfast.forTesting(nodes, time, new Random(1));

    static Stream<Consumer<CompletableFuture<Lease>>> endings() {
        return Stream.of(
                future -> future.cancel(true),
                future -> future.completeExceptionally(new IllegalStateException("of the caller")),
                future -> future.obtrudeException(new IllegalStateException("of the caller")),
                future -> future.complete(null));
    }

    /** The lock is granted, but no thread has notified the caller yet. */
    @ParameterizedTest
    @MethodSource("endings")
    void end_betweenGrantAndDelivery_theNextWaiterHoldsTheLockOnAllNodes(Consumer<CompletableFuture<Lease>> ending) {
        CompletableFuture<Lease> first = ask();
        CompletableFuture<Lease> second = ask();
        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNotNull());

        ending.accept(first);
        time.advance(Duration.ofSeconds(1));

        Lease lease = Completed.value(second);
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isEqualTo(lease.owner()));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void end_whileWaiting_leavesTheWaitQueue(Consumer<CompletableFuture<Lease>> ending) {
        CompletableFuture<Lease> held = ask();
        CompletableFuture<Lease> waiting = other().lock(LOCK).acquireAsync();
        time.advance(Duration.ofSeconds(1));
        assertThat(nodes).allSatisfy(node -> assertThat(node.waitQueue(LOCK)).hasSize(1));

        ending.accept(waiting);
        time.advance(Duration.ofSeconds(1));

        assertThat(Completed.value(held).state()).isEqualTo(LeaseState.HELD);
        assertThat(nodes).allSatisfy(node -> assertThat(node.waitQueue(LOCK)).isEmpty());
    }

    @Test
    void timeout_ofTheFuture_endsTheWaitInTheQueueOfTheProcess() {
        ask();
        CompletableFuture<Lease> queued = ask();
        time.settle();

        queued.completeExceptionally(new java.util.concurrent.TimeoutException());
        nodes.get(0).evict();
        nodes.get(1).evict();
        nodes.get(2).evict();
        time.advance(Duration.ofMinutes(1));

        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNull());
    }

    /**
     * The lock is granted, but no thread has received it yet; after the close there is no connection for its release.
     */
    @Test
    void close_betweenGrantAndDelivery_releasesTheLockBeforeTheNodesAreClosed() {
        List<UnreliableNode> closing = UnreliableNode.several(3, time);
        Holdfast closed = Holdfast.forTesting(closing, time, new Random(3));
        CompletableFuture<Lease> granted = closed.lock(LOCK).acquireAsync();
        assertThat(closing).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNotNull());

        closed.close();

        assertThat(closing).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNull());
        time.settle();
        assertThat(granted).isDone();
    }

    /** The lock would stay on the first node until the node timeout, though the caller does not wait any more. */
    @Test
    void cancel_roundIsUndecided_releasesAtOnce() {
        List<UnreliableNode> partly = UnreliableNode.several(3, time);
        partly.get(1).silent(true);
        partly.get(2).silent(true);
        CompletableFuture<Lease> undecided =
                Holdfast.forTesting(partly, time, new Random(3)).lock(LOCK).acquireAsync();
        assertThat(partly.get(0).ownerOf(LOCK)).isNotNull();

        undecided.cancel(true);

        assertThat(partly.get(0).ownerOf(LOCK)).isNull();
    }

    /**
     * Otherwise the end of each waiter would let the next one ask the nodes, and a close would take a round for each.
     */
    @Test
    void close_manyWaiters_asksTheNodesForNoneOfThem() {
        List<UnreliableNode> closing = UnreliableNode.several(3, time);
        Holdfast.forTesting(closing, time, new Random(4)).lock(LOCK).acquireAsync();
        Holdfast closed = Holdfast.forTesting(closing, time, new Random(3));
        for (int i = 0; i < 50; i++) {
            closed.lock(LOCK).acquireAsync();
        }
        time.advance(Duration.ofMillis(100));
        long asked = closing.get(0).received(Claim.Action.ACQUIRE);

        closed.close();

        assertThat(closing.get(0).received(Claim.Action.ACQUIRE)).isEqualTo(asked);
    }

    private CompletableFuture<Lease> ask() {
        return client.lock(LOCK).acquireAsync();
    }

    private Holdfast other() {
        return Holdfast.forTesting(nodes, time, new Random(2));
    }
}
