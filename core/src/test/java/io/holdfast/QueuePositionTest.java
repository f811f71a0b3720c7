package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.Claim;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The position of a client in the wait queue of a lock, which its waiters share: one that leaves does not remove it.
 */
class QueuePositionTest {

    private static final String LOCK = "a";
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final LockOptions PATIENT =
            LockOptions.builder().waitLimit(Duration.ofHours(1)).build();

    private final VirtualTime time = new VirtualTime();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void timeout_ofAnotherWaiterOfTheClient_keepsThePosition(boolean fair) {
        List<InMemoryNode> nodes = IntStream.range(0, 3)
                .mapToObj(i -> new InMemoryNode("node-" + i, time))
                .toList();
        LockOptions options = LockOptions.builder()
                .waitLimit(Duration.ofHours(1))
                .retryDelays(Duration.ofMillis(20), Duration.ofSeconds(25))
                .fair(fair)
                .build();
        Lease held = Completed.value(ask(Holdfast.forTesting(nodes, time, new Random(1)), options));
        Holdfast older = Holdfast.forTesting(nodes, time, new Random(2));
        CompletableFuture<Lease> first = ask(older, options);
        ask(older, options.toBuilder().waitLimit(Duration.ofSeconds(1)).build());
        CompletableFuture<Lease> younger = ask(Holdfast.forTesting(nodes, time, new Random(3)), options);

        time.advance(Duration.ofSeconds(2));
        assertThat(nodes).allSatisfy(node -> assertThat(node.waitQueue(LOCK)).hasSize(2));
        held.releaseAsync();
        time.advance(MOMENT);

        assertThat(first).isCompleted();
        assertThat(younger).isNotDone();
    }

    @Test
    void cancel_whileItsRoundIsUnderWay_keepsThePositionOfTheNextWaiter() {
        LockOptions options = PATIENT.toBuilder()
                .retryDelays(Duration.ofMillis(20), Duration.ofSeconds(25))
                .build();
        List<UnreliableNode> nodes = nodesWithHolder(options);
        Holdfast client = Holdfast.forTesting(nodes, time, new Random(2));
        CompletableFuture<Lease> first = ask(client, options);
        ask(client, options);
        nodes.forEach(node -> node.notifyClients(LOCK));
        nodes.forEach(node -> node.latency(Duration.ofMillis(5)));
        nodes.forEach(node -> node.notifyClients(LOCK));
        time.advance(Duration.ofMillis(2));

        first.cancel(true);
        time.advance(Duration.ofMillis(100));

        assertThat(nodes)
                .allSatisfy(node -> assertThat(node.node().waitQueue(LOCK)).hasSize(1));
    }

    /** When the withdrawal of the first waiter is repeated, the second one has the position. */
    @Test
    void cancel_itsWithdrawalIsLost_keepsThePositionOfTheNextWaiter() {
        LockOptions options = PATIENT.toBuilder()
                .retryDelays(Duration.ofSeconds(10), Duration.ofSeconds(25))
                .build();
        List<UnreliableNode> nodes = nodesWithHolder(options);
        Holdfast client = Holdfast.forTesting(nodes, time, new Random(2));
        CompletableFuture<Lease> first = ask(client, options);
        ask(client, options);
        nodes.forEach(node -> node.received().clear());
        nodes.forEach(node -> node.loseNext(Claim.Action.RELEASE, 1));

        first.cancel(true);
        time.advance(Duration.ofMillis(100));

        assertThat(nodes).allSatisfy(node -> {
            assertThat(node.received(Claim.Action.RELEASE)).isEqualTo(2);
            assertThat(node.node().waitQueue(LOCK)).hasSize(1);
        });
    }

    @Test
    void cancel_ofTheLastWaiterOfTheClient_leavesTheWaitQueue() {
        List<UnreliableNode> nodes = nodesWithHolder(PATIENT);
        Holdfast client = Holdfast.forTesting(nodes, time, new Random(2));
        List<CompletableFuture<Lease>> waiting = List.of(ask(client, PATIENT), ask(client, PATIENT));
        nodes.forEach(node -> node.latency(Duration.ofMillis(5)));
        nodes.forEach(node -> node.notifyClients(LOCK));

        waiting.forEach(lease -> lease.cancel(true));
        time.advance(Duration.ofMillis(100));

        assertThat(nodes)
                .allSatisfy(node -> assertThat(node.node().waitQueue(LOCK)).isEmpty());
    }

    /** A claim overtaken by its withdrawal is refused because of the holder, and only then joins the wait queue. */
    @Test
    void cancel_claimIsOvertakenByItsWithdrawal_leavesTheWaitQueue() {
        List<UnreliableNode> nodes = nodesWithHolder(PATIENT);
        CompletableFuture<Lease> waiting = ask(Holdfast.forTesting(nodes, time, new Random(2)), PATIENT);
        nodes.forEach(node -> node.delay(Claim.Action.ACQUIRE));
        nodes.forEach(node -> node.notifyClients(LOCK));
        time.advance(MOMENT);

        waiting.cancel(true);
        time.advance(MOMENT);
        nodes.forEach(UnreliableNode::thaw);
        time.advance(MOMENT);

        assertThat(nodes)
                .allSatisfy(node -> assertThat(node.node().waitQueue(LOCK)).isEmpty());
    }

    /** Returns three nodes that can notify clients. Another client holds the lock. */
    private List<UnreliableNode> nodesWithHolder(LockOptions options) {
        List<UnreliableNode> nodes = UnreliableNode.several(3, time);
        nodes.forEach(UnreliableNode::enableNotifications);
        Completed.value(ask(Holdfast.forTesting(nodes, time, new Random(1)), options));
        return nodes;
    }

    private CompletableFuture<Lease> ask(Holdfast client, LockOptions options) {
        CompletableFuture<Lease> lease = client.lock(LOCK, options).acquireAsync();
        time.advance(MOMENT);
        return lease;
    }
}
