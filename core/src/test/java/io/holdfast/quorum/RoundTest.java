package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Completed;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
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

    /** A node that replies when the test says so. */
    private record Asked(CompletableFuture<Reply> reply) implements LockNode {

        @Override
        public String name() {
            return "asked";
        }

        @Override
        public CompletionStage<Reply> ask(Claim claim) {
            return reply;
        }

        @Override
        public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
            return new CompletableFuture<>();
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

    /** Three of five nodes split their votes after 1 ms, and the fourth after 8 ms: a round that ends at 10 ms. */
    @Test
    void end_replyBetweenSplitVotesAndTheirLimit_isNotDelayed() {
        VirtualTime time = new VirtualTime();
        List<CompletableFuture<Reply>> replies =
                Stream.generate(CompletableFuture<Reply>::new).limit(5).toList();
        List<LockNode> nodes = replies.stream().<LockNode>map(Asked::new).toList();
        Claim claim = Claim.acquire("a", new Owner("o"), Duration.ofSeconds(30), FencingToken.NONE);
        NodePatience patience = new NodePatience(Duration.ofMillis(500), Duration.ofMillis(500), Duration.ofMillis(10));
        Reply refused = new Reply.Refused(Duration.ofSeconds(1), FencingToken.NONE, 0);
        Round round = Round.start(Voters.of(nodes), node -> claim, patience, new ReplyTimes(5), time);

        time.advance(Duration.ofMillis(1));
        replies.get(0).complete(Reply.GRANTED);
        replies.get(1).complete(refused);
        replies.get(2).complete(Reply.GRANTED);
        time.advance(Duration.ofMillis(7));
        replies.get(3).complete(refused);
        time.advance(Duration.ofMillis(2).minusNanos(1));
        assertThat(round.settled()).isNotDone();
        time.advance(Duration.ofNanos(1));

        assertThat(round.settled()).isDone();
    }

    /** The name of the node is needed for the outcome. */
    @Test
    void end_noMemoryForTheOutcome_isSettledAtTheTimeout() {
        VirtualTime time = new VirtualTime();
        AtomicInteger names = new AtomicInteger();
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        LockNode node = new ForwardingNode(new Asked(reply)) {
            @Override
            public String name() {
                if (names.incrementAndGet() == 1) {
                    throw new OutOfMemoryError("by the test");
                }
                return super.name();
            }
        };
        Claim claim = Claim.acquire("a", new Owner("o"), Duration.ofSeconds(30), FencingToken.NONE);
        Round round = Round.start(Voters.of(List.of(node)), claim, Duration.ofSeconds(1), time);

        reply.complete(Reply.GRANTED);
        assertThat(round.settled()).isNotDone();
        time.advance(Duration.ofSeconds(1));

        assertThat(Completed.value(round.settled()).isGranted()).isTrue();
    }
}
