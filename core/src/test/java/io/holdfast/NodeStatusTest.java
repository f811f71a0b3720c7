package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.NodeStatus;
import io.holdfast.node.NodeStatus.State;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The status of the nodes as a client reports it, without a round trip. */
class NodeStatusTest {

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = IntStream.range(0, 3)
            .mapToObj(i -> UnreliableNode.guarded("node-" + i, time))
            .toList();
    private final Holdfast client = Holdfast.over(nodes, HoldfastOptions.DEFAULT, time, new Random(1));

    @Test
    void nodes_beforeTheFirstAnswer_areNotReportedAsVoting() {
        assertThat(states()).containsOnly(State.UNREACHABLE);
        assertThat(client.nodes().get(0).cause()).contains("not answered yet");
    }

    @Test
    void nodes_newServers_areInQuarantineForTheTimeLeft() {
        time.advance(Duration.ofSeconds(6));

        assertThat(states()).containsOnly(State.QUARANTINED);
        assertThat(client.nodes().get(2).duration()).isBetween(Duration.ofSeconds(59), Duration.ofSeconds(61));
    }

    @Test
    void nodes_afterTheQuarantine_vote() {
        time.advance(Duration.ofSeconds(70));

        assertThat(client.nodes()).allMatch(NodeStatus::votes);
    }

    @Test
    void nodes_oneIsRestarted_isInQuarantineAgainWithinFiveSeconds() {
        time.advance(Duration.ofSeconds(70));
        nodes.get(1).node().restart(false);

        time.advance(Duration.ofSeconds(6));

        assertThat(states()).containsExactly(State.VOTES, State.QUARANTINED, State.VOTES);
    }

    @Test
    void nodes_oneDoesNotAnswer_isUnreachableSinceThen() {
        time.advance(Duration.ofSeconds(70));
        nodes.get(0).down();

        time.advance(Duration.ofSeconds(20));

        NodeStatus down = client.nodes().get(0);
        assertThat(down.state()).isEqualTo(State.UNREACHABLE);
        assertThat(down.duration()).isBetween(Duration.ofSeconds(14), Duration.ofSeconds(21));
        assertThat(down.cause()).isEqualTo("no answer");
    }

    private List<State> states() {
        return client.nodes().stream().map(NodeStatus::state).toList();
    }
}
