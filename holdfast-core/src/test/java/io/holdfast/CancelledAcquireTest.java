package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lease.LeaseState;
import io.holdfast.locks.OwnedLock;
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

/** A caller ends its future at any moment, in any way; the lock has one holder all the same. */
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

    /** The grant has come, and waits for a thread on which the caller is notified. */
    @ParameterizedTest
    @MethodSource("endings")
    void end_betweenGrantAndDelivery_theNextWaiterHoldsTheLockOnAllNodes(Consumer<CompletableFuture<Lease>> ending) {
        CompletableFuture<Lease> first = ask();
        CompletableFuture<Lease> second = ask();
        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNotNull());

        ending.accept(first);
        time.advance(Duration.ofSeconds(1));

        Lease lease = second.join();
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isEqualTo(lease.owner()));
    }

    @ParameterizedTest
    @MethodSource("endings")
    void end_whileWaiting_leavesTheWaitQueue(Consumer<CompletableFuture<Lease>> ending) {
        CompletableFuture<Lease> held = ask();
        CompletableFuture<Lease> waiting = other().lock(LOCK).acquireAsync();
        time.advance(Duration.ofSeconds(1));
        assertThat(nodes).allSatisfy(node -> assertThat(node.line(LOCK)).hasSize(1));

        ending.accept(waiting);
        time.advance(Duration.ofSeconds(1));

        assertThat(held.join().state()).isEqualTo(LeaseState.HELD);
        assertThat(nodes).allSatisfy(node -> assertThat(node.line(LOCK)).isEmpty());
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

    /** The grant has come, but no thread has taken it yet; after the close, no connection is left to release it over. */
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

    /** The quarantine of a restarted node is as long as the longest lease, so none may be longer, on whatever path it is asked for. */
    @Test
    void acquireAsync_leaseBeyondMaxLease_isRefusedAtOnce() {
        HoldfastOptions minute =
                HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build();
        Holdfast bounded = Holdfast.over(nodes, minute, time, new Random(1));
        LockOptions hour = LockOptions.builder().lease(Duration.ofHours(1)).build();
        DistributedLock lock = bounded.lock(LOCK);
        OwnedLock owned = OwnedLock.of(lock);

        for (Runnable way : List.<Runnable>of(
                () -> lock.acquireAsync(hour),
                () -> lock.shared().acquireAsync(hour),
                () -> owned.acquireAsync("owner", hour))) {
            assertThatThrownBy(way::run)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lease PT1H is longer than maxLease PT1M");
        }
        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNull());
    }

    private CompletableFuture<Lease> ask() {
        return client.lock(LOCK).acquireAsync();
    }

    private Holdfast other() {
        return Holdfast.forTesting(nodes, time, new Random(2));
    }
}
