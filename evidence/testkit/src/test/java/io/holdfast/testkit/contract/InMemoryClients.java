package io.holdfast.testkit.contract;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.testkit.contract.ClientsContract.Size;
import io.holdfast.time.SystemTime;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** Clients of in-memory nodes, in real time. */
final class InMemoryClients implements AutoCloseable {

    private final SystemTime time = new SystemTime();
    private final Map<Size, List<LockNode>> nodes = new ConcurrentHashMap<>();
    private final Map<Size, LockNode> previous = new ConcurrentHashMap<>();

    Holdfast connect(Size size) {
        return Holdfast.forTesting(nodes.computeIfAbsent(size, this::nodes), time, new Random());
    }

    /** Connects a client that has one previous node as well, while the nodes are being changed. */
    Holdfast connectToBothSets(Size size) {
        HoldfastOptions options = HoldfastOptions.builder()
                .restarts(RestartPolicy.DURABLE)
                .maxLease(LockOptions.MAX_LEASE)
                .build();
        return Holdfast.over(
                nodes.computeIfAbsent(size, this::nodes),
                List.of(previous.computeIfAbsent(size, same -> new InMemoryNode("previous", time))),
                options,
                time,
                new Random());
    }

    private List<LockNode> nodes(Size size) {
        return IntStream.range(0, size.nodes())
                .mapToObj(i -> i < size.dead() ? new DeadNode("node-" + i) : new InMemoryNode("node-" + i, time))
                .toList();
    }

    @Override
    public void close() {
        time.close();
    }

    /** A node that is down, like a server with a closed port. */
    private record DeadNode(String name) implements LockNode {
        @Override
        public CompletionStage<Reply> ask(Claim claim) {
            return CompletableFuture.completedFuture(Reply.notSent("down"));
        }

        @Override
        public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
            return CompletableFuture.completedFuture(new NodeStanding.Unknown("down"));
        }

        @Override
        public void close() {}
    }
}
