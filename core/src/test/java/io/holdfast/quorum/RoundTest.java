package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Completed;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class RoundTest {

    /** A node that has no memory left for the moment. */
    private static final class Exhausted implements LockNode {

        @Override
        public String name() {
            return "exhausted";
        }

        @Override
        public CompletionStage<Reply> ask(Claim claim) {
            throw new OutOfMemoryError("by the test");
        }

        @Override
        public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
            throw new OutOfMemoryError("by the test");
        }

        @Override
        public void close() {}
    }

    /** Otherwise the renewals of all leases that are extended together would end. */
    @Test
    void ask_nodeThrowsAnError_isAFailedReply() {
        Claim claim = Claim.acquire("a", new Owner("o"), Duration.ofSeconds(1), FencingToken.NONE);

        assertThat(Completed.value(Round.ask(new Exhausted(), claim)).toString())
                .contains("OutOfMemoryError: by the test");
    }
}
