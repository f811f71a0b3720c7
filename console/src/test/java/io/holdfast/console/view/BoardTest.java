package io.holdfast.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.LockAdmin;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class BoardTest {

    private static final long LIMIT_MILLIS = 60_000;

    @AutoClose
    private final SystemTime time = new SystemTime();

    private final BrokenNode node = new BrokenNode(new InMemoryNode("node", time));

    @AutoClose
    private final Board board = new Board(
            new LockAdmin(List.of(node), new QuorumConfig(1, Duration.ofMinutes(1)), false, time, resource -> {}),
            Map.of(),
            parts -> parts,
            Duration.ZERO);

    /** A node that throws when it is asked, while the test wants it to. */
    private static final class BrokenNode implements LockNode {

        private final InMemoryNode node;
        private volatile boolean isBroken;

        BrokenNode(InMemoryNode node) {
            this.node = node;
        }

        @Override
        public String name() {
            return node.name();
        }

        @Override
        public CompletionStage<Reply> ask(Claim claim) {
            return node.ask(claim);
        }

        @Override
        public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
            if (isBroken) {
                throw new IllegalStateException("planned");
            }
            return node.probe(probe);
        }

        @Override
        public NodeAdmin admin() {
            return node.admin();
        }

        @Override
        public void close() {
            node.close();
        }
    }

    @Test
    void next_readingFails_isSaidAndTheNextOneWorks() throws Exception {
        try (Viewer viewer = board.open(1).orElseThrow()) {
            assertThat(viewer.next(LIMIT_MILLIS).orElseThrow())
                    .startsWith("event: overview\n")
                    .contains("\"votes\"", "\"detail\":\"\"");

            node.isBroken = true;
            assertThat(viewer.next(LIMIT_MILLIS).orElseThrow())
                    .startsWith("event: change\n")
                    .contains("\"complete\":false", "the locks cannot be read: ", "planned");

            node.isBroken = false;
            assertThat(viewer.next(LIMIT_MILLIS).orElseThrow())
                    .startsWith("event: change\n")
                    .contains("\"complete\":true", "\"detail\":\"\"");
        }
    }
}
