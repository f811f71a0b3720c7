package io.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.NodeStatus;
import io.holdfast.quorum.NodeSets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientLogTest {

    private static final NodeStatus VOTING = NodeStatus.voting("a");
    private static final NodeStatus RESTARTED = NodeStatus.quarantined("b", Duration.ofSeconds(66));
    private static final NodeStatus REFUSED = NodeStatus.refused("c", "it is a replica");

    private static NodeStatus silentFor(Duration time) {
        return NodeStatus.unreachable("d", time, "no answer yet");
    }

    @Test
    void quarantined_lessThanASecond_isNoZero() {
        assertThat(NodeStatus.quarantined("b", Duration.ofMillis(900)).cause()).endsWith("votes again in 1 s");
    }

    /** Otherwise cron mails a warning while a majority votes, because a busy machine connects slowly. */
    @Test
    void isDecided_silentNodesMayMakeAMajority_isFalseForSomeSeconds() {
        NodeStatus silent = silentFor(Duration.ofMillis(14_999));
        NodeStatus gone = silentFor(Duration.ofSeconds(15));

        assertThat(isDecided(List.of(RESTARTED, silent, silent))).isFalse();
        assertThat(isDecided(List.of(RESTARTED, silent, VOTING))).isFalse();
        assertThat(isDecided(List.of(RESTARTED, gone, VOTING))).isTrue();
        assertThat(isDecided(List.of(RESTARTED, gone, silent))).isTrue();
    }

    @Test
    void isDecided_silentNodesChangeNothing_isTrue() {
        NodeStatus silent = silentFor(Duration.ZERO);

        assertThat(isDecided(List.of(RESTARTED, VOTING, VOTING))).isTrue();
        assertThat(isDecided(List.of(RESTARTED, RESTARTED, silent))).isTrue();
        assertThat(isDecided(List.of(RESTARTED, REFUSED, silent))).isTrue();
    }

    private static boolean isDecided(List<NodeStatus> known) {
        return ClientLog.isDecided(known, NodeSets.of(known.size()));
    }
}
