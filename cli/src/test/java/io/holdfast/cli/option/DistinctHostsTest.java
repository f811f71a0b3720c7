package io.holdfast.cli.option;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.exit.Failure;
import io.holdfast.node.NodeStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class DistinctHostsTest {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static NodeStatus silent(String address) {
        return NodeStatus.unreachable(address, Duration.ZERO, "no answer yet");
    }

    @Test
    void require_twoNamesOfOneServer_isRefusedAlsoBeforeItHasAnswered() {
        List<NodeStatus> nodes = List.of(NodeStatus.voting("redis://a:6379"), silent("redis://b:6379"));

        assertThatThrownBy(() -> DistinctHosts.require(nodes, host -> "10.0.0.1", PATIENCE))
                .isInstanceOf(Failure.class)
                .hasMessageStartingWith("a:6379 and b:6379 are the same server");
    }

    /** A name server without an answer takes ten seconds and more; two of three servers are enough. */
    @Test
    void require_nameIsNotResolved_isNotAwaitedBeyondTheLimit() {
        CountDownLatch answer = new CountDownLatch(1);

        DistinctHosts.require(
                List.of(NodeStatus.voting("redis://a:6379"), silent("redis://b:6379")),
                host -> host.equals("b") ? resolved(answer) : "10.0.0.1",
                Duration.ofMillis(1));

        answer.countDown();
    }

    private static String resolved(CountDownLatch answer) {
        try {
            answer.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return "10.0.0.2";
    }
}
