package io.holdfast.testkit.contract;

import io.holdfast.Holdfast;
import io.holdfast.node.Claim;
import io.holdfast.node.InMemoryNode;
import io.holdfast.node.LockNode;
import io.holdfast.node.Membership;
import io.holdfast.node.Reply;
import io.holdfast.node.Watch;
import io.holdfast.time.SystemTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;

class InMemoryLockContractTest extends LockContract {

    private static final SystemTime TIME = new SystemTime();

    private final List<LockNode> nodes = new ArrayList<>();

    @Override
    protected Holdfast connect(Size size) {
        for (int i = nodes.size(); i < size.nodes(); i++) {
            String name = "node-" + i;
            nodes.add(i < size.dead() ? new DeadNode(name) : new InMemoryNode(name, TIME));
        }
        return Holdfast.over(nodes, TIME, new Random());
    }

    @AfterAll
    static void stopTime() {
        TIME.close();
    }

    /** A node that never answers. */
    private record DeadNode(String name) implements LockNode {
        @Override
        public CompletionStage<Reply> ask(Claim claim) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<Membership> watch(Watch watch) {
            return new CompletableFuture<>();
        }

        @Override
        public void close() {}
    }
}
