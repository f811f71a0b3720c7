package io.holdfast.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.jobs.JobOverview;
import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/** Tests how long the health waits for silent nodes, in virtual time. */
class HoldfastHealthIndicatorTest {

    private static final Duration TIMEOUT = HoldfastHealthIndicator.DEFAULT_TIMEOUT;
    private static final CompletionStage<NodeStanding> SILENCE = new CompletableFuture<>();
    private static final CompletionStage<NodeStanding> VOTES =
            CompletableFuture.completedFuture(NodeStanding.Admitted.of(FencingToken.NONE));

    private final VirtualTime clock = new VirtualTime();

    /** A node that gives one answer to each probe. */
    private record ProbedNode(String name, CompletionStage<NodeStanding> answer) implements LockNode {

        @Override
        public CompletionStage<Reply> ask(Claim claim) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
            return answer;
        }

        @Override
        public void close() {}
    }

    /** Moves the clock as soon as all nodes have been asked: the caller waits for them on its own thread. */
    private final class WaitingTime implements Time {

        private int pending;

        WaitingTime(int nodes) {
            pending = nodes;
        }

        @Override
        public Moment now() {
            return clock.now();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            Timer timer = clock.schedule(delay, task);
            if (delay.equals(TIMEOUT) && --pending == 0) {
                clock.advance(TIMEOUT);
            }
            return timer;
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }
    }

    private Health health(LockNode... nodes) {
        return health(Holdfast.forTesting(List.of(nodes), new WaitingTime(nodes.length), new Random(1)));
    }

    private static Health health(Holdfast holdfast) {
        HoldfastHealthIndicator indicator =
                new HoldfastHealthIndicator(holdfast, new JobOverview(holdfast), TIMEOUT, false);
        return Objects.requireNonNull(indicator.health());
    }

    /** While the nodes are being changed, a lock needs a majority of both sets. */
    @Test
    void health_previousNodesAreNoMajority_isDown() {
        LockNode gone = new ForwardingNode(new ProbedNode("old", SILENCE)) {
            @Override
            public NodeStatus status() {
                return NodeStatus.unreachable(name(), Duration.ofSeconds(1), "not connected");
            }
        };
        HoldfastOptions options =
                HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build();

        Holdfast holdfast = Holdfast.over(
                List.of(new ProbedNode("a", VOTES)), List.of(gone), options, new WaitingTime(1), new Random(1));

        Health health = health(holdfast);

        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails()).containsEntry("previousNodes", Map.of("old", "down: not connected"));
        try (LeaseTable leases = new LeaseTable(holdfast)) {
            HoldfastEndpoint endpoint = new HoldfastEndpoint(holdfast, leases, new JobOverview(holdfast), false);
            assertThat(Objects.requireNonNull(endpoint.overview(null).getBody()).previousNodes())
                    .containsExactly(new HoldfastEndpoint.Node("old", "unreachable", "not connected"));
        }
    }

    /** All nodes are asked at the same moment, so several silent ones cost no more than one. */
    @Test
    void health_allNodesAreSilent_isDownWithinOneTimeout() {
        Moment asked = clock.now();

        Health health =
                health(new ProbedNode("a", SILENCE), new ProbedNode("b", SILENCE), new ProbedNode("c", SILENCE));

        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(clock.now().since(asked)).isEqualTo(TIMEOUT);
    }

    @Test
    void health_lastNodeIsSilent_countsTheOthers() {
        Health health = health(new ProbedNode("a", VOTES), new ProbedNode("b", VOTES), new ProbedNode("c", SILENCE));

        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails())
                .containsEntry("spare", 0L)
                .hasEntrySatisfying(
                        "overdueJobs", jobs -> assertThat(jobs.toString()).startsWith("unknown: "))
                .containsEntry("nodes", Map.of("a", "votes", "b", "votes", "c", "down: no answer"));
    }

    @Test
    void properties_timeoutOfZero_isRejected() {
        assertThatThrownBy(() -> new HoldfastHealthProperties(true, Duration.ZERO, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("set management.health.holdfast.timeout to a positive duration");
    }
}
