package io.holdfast.acquire;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import io.holdfast.quorum.Backoff;
import io.holdfast.quorum.Drift;
import io.holdfast.quorum.FenceProposer;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class AcquisitionTest {

    private static final LockParameters PARAMETERS = new LockParameters(
            Duration.ofSeconds(30),
            new Drift(0.01),
            Duration.ofSeconds(1),
            Duration.ofMillis(50),
            new Backoff(Duration.ofMillis(10), Duration.ofMillis(100)),
            false,
            LockMode.EXCLUSIVE);

    private final VirtualTime time = new VirtualTime();
    private final NodeGroup group = new NodeGroup(List.of(new Asking()), time, () -> new Owner("owner"), new Random(7));
    private CompletableFuture<Void> settled = CompletableFuture.completedFuture(null);

    /** A node on which another thread closes the client at the moment at which a claim has been sent. */
    private final class Asking implements LockNode {

        @Override
        public String name() {
            return "a";
        }

        @Override
        public CompletionStage<Reply> ask(Claim claim) {
            settled = group.settled();
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
            return new CompletableFuture<>();
        }

        @Override
        public void close() {}
    }

    /** Otherwise the closing client closes its nodes before the claim, if it is granted, has been released. */
    @Test
    void attempt_clientClosesWhileTheClaimIsSent_isAwaited() {
        new LocalWaiters(group, new FenceProposer())
                .acquire("a", PARAMETERS, new WaitLimits(Duration.ZERO, Duration.ZERO, 0, false));

        assertThat(settled).isNotDone();
        time.advance(Duration.ofSeconds(1));
        assertThat(settled).isDone();
    }
}
