package io.holdfast.simulation.cycle;

import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import io.holdfast.simulation.world.SimulatedNode;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/** A node as its administrator reads it: each question arrives at a moment of its own. */
record RemoteReading(SimulatedNode node, Time time, RandomGenerator random) implements LockNode {

    static final Duration STEP = Duration.ofMillis(1);

    private static final Duration LONGEST = Duration.ofMillis(400);
    private static final Duration USUAL = Duration.ofMillis(20);
    private static final int ONE_IN_IS_LATE = 4;

    @Override
    public String name() {
        return node.name();
    }

    @Override
    public NodeAdmin admin() {
        return new NodeAdmin() {
            @Override
            public CompletionStage<NodeLockStatus> inspect(String resource) {
                CompletableFuture<NodeLockStatus> answer = new CompletableFuture<>();
                later(() -> {
                    NodeLockStatus state = node.memory()
                            .admin()
                            .inspect(resource)
                            .toCompletableFuture()
                            .join();
                    later(() -> answer.complete(state));
                });
                return answer;
            }
        };
    }

    private void later(Runnable task) {
        Duration longest = random.nextInt(ONE_IN_IS_LATE) == 0 ? LONGEST : USUAL;
        time.schedule(Duration.ofNanos(random.nextLong(longest.toNanos())), task);
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        throw new UnsupportedOperationException("a reader takes no lock");
    }

    @Override
    public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        throw new UnsupportedOperationException("a reader asks for no vote");
    }

    @Override
    public void close() {}
}
