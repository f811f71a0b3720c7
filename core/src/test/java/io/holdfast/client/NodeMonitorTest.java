package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.event.LockEvent;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeMonitorTest {

    private final VirtualTime time = new VirtualTime();
    private final EventListeners listeners = new EventListeners(Runnable::run, new ClientLog(time));
    private final NodeMonitor monitor = new NodeMonitor(listeners, time);

    /** A node that is gone from its third answer on. */
    private final class VanishingNode extends ForwardingNode {

        private int asked;

        VanishingNode() {
            super(new InMemoryNode("a", time));
        }

        @Override
        public NodeStatus status() {
            asked++;
            return asked < 3 ? NodeStatus.voting("a") : NodeStatus.unreachable("a", Duration.ZERO, "gone");
        }
    }

    /** Otherwise the first listener never learns of it. */
    @Test
    void add_nodeChangesMeanwhile_isReportedToAll() {
        monitor.watch(List.of(new VanishingNode()));
        List<LockEvent> first = new ArrayList<>();
        List<LockEvent> second = new ArrayList<>();

        monitor.add(first::add);
        monitor.add(second::add);
        time.advance(Duration.ofSeconds(2));

        assertThat(first)
                .containsExactly(new LockEvent.NodeVoting("a"), new LockEvent.NodeGone("a", "gone"))
                .isEqualTo(second);
    }
}
