package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.UnreliableNode;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The time for which a client knows that an attempt which it has withdrawn may still have the lock of a node. */
class WithdrawalTest {

    private static final Duration NODE_TIMEOUT = Duration.ofMillis(500);
    private static final Owner OWNER = new Owner("an-owner");

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final NodeGroup group = new NodeGroup(Voters.of(nodes), time, "client-1", () -> OWNER, new Random(1));
    private final Claim claim = Claim.acquire("a", OWNER, Duration.ofSeconds(10), new FencingToken(2));

    private void end(Claim release) {
        group.release(release, sent -> sent, group.ask(claim, NODE_TIMEOUT).trace(), NODE_TIMEOUT);
    }

    @Test
    void isWithdrawing_untilEachNodeHasAcknowledged() {
        nodes.get(2).delay(Claim.Action.RELEASE);
        end(claim.withdraw());

        assertThat(group.isWithdrawing(OWNER.mark())).isTrue();
        nodes.get(2).thaw();
        assertThat(group.isWithdrawing(OWNER.mark())).isFalse();
    }

    @Test
    void isWithdrawing_untilALostWithdrawalIsRepeated() {
        nodes.get(2).loseNext(Claim.Action.RELEASE, 1);
        end(claim.withdraw());

        assertThat(group.isWithdrawing(OWNER.mark())).isTrue();
        time.advance(Duration.ofSeconds(1));
        assertThat(group.isWithdrawing(OWNER.mark())).isFalse();
    }

    /** Then its lock has expired. */
    @Test
    void isWithdrawing_nodeNeverAnswers_isForgotten() {
        nodes.get(2).loseNext(Claim.Action.RELEASE, Integer.MAX_VALUE);
        end(claim.withdraw());

        time.advance(Duration.ofMinutes(2));

        assertThat(group.isWithdrawing(OWNER.mark())).isFalse();
    }

    /** The lock of a lease is held until it is released. */
    @Test
    void isWithdrawing_leaseIsReleased_isFalse() {
        nodes.get(2).delay(Claim.Action.RELEASE);
        end(claim.release());

        assertThat(group.isWithdrawing(OWNER.mark())).isFalse();
    }
}
