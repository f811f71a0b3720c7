package io.holdfast.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.LockAdmin;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
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
            admin(node).withPrevious(admin(new InMemoryNode("old-1", time), new InMemoryNode("old-2", time))),
            Map.of(),
            parts -> parts,
            Duration.ZERO);

    private LockAdmin admin(LockNode... nodes) {
        QuorumConfig config = new QuorumConfig(nodes.length, Duration.ofMinutes(1));
        return new LockAdmin(List.of(nodes), config, false, time, resource -> {});
    }

    /** A node that throws when it is asked, while the test wants it to. */
    private static final class BrokenNode extends ForwardingNode {

        private volatile boolean isBroken;

        BrokenNode(LockNode node) {
            super(node);
        }

        @Override
        public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
            if (isBroken) {
                throw new IllegalStateException("planned");
            }
            return super.probe(probe);
        }
    }

    @Test
    void next_readingFails_isSaidAndTheNextOneWorks() throws Exception {
        try (Viewer viewer = board.open(1).orElseThrow()) {
            assertThat(viewer.next(LIMIT_MILLIS).orElseThrow())
                    .startsWith("event: overview\n")
                    .contains("\"votes\"", "\"detail\":\"\"", "\"previousNodes\":[{\"name\":\"old-1\"")
                    .contains("\"spareVotes\":0");

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
