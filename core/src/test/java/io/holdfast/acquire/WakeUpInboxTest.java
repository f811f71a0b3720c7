package io.holdfast.acquire;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.node.Reply;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.quorum.NodeSets;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Tally;
import io.holdfast.quorum.Vote;
import io.holdfast.quorum.Voters;
import io.holdfast.time.Moment;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The numbers of tickets, which follow from the nodes' clocks. */
class WakeUpInboxTest {

    private static final long CLOCK = 1_700_000_000_000_000L;

    private final VirtualTime time = new VirtualTime();
    private final WakeUpInbox inbox =
            new WakeUpInbox("client-1", Voters.of(List.of(new InMemoryNode("node", time))), time);
    private final Moment start = time.now();

    @Test
    void ticket_noReplyYet_isTheLast() {
        assertThat(number()).isEqualTo(WaitTicket.LAST);
    }

    @Test
    void ticket_oneReply_countsFromTheMiddleOfItsRoundTrip() {
        answer(CLOCK, Duration.ofMillis(2));

        assertThat(number()).isEqualTo(CLOCK - 1_000);
    }

    /**
     * A reply that waited for a thread would make its client seem older than others, so that it would be served first.
     */
    @Test
    void ticket_slowReplyAfterAQuickOne_usesTheQuickOne() {
        answer(CLOCK, Duration.ofMillis(2));
        time.advance(Duration.ofMillis(100));

        answer(CLOCK + 102_000, Duration.ofMillis(50));

        assertThat(number()).isEqualTo(CLOCK - 1_000);
    }

    @Test
    void ticket_slowReplyAfterALongTime_usesTheNewOne() {
        answer(CLOCK, Duration.ofMillis(2));
        time.advance(Duration.ofSeconds(5));

        answer(CLOCK + 6_000_000, Duration.ofMillis(50));

        assertThat(number()).isEqualTo(CLOCK + 6_000_000 - 5_002_000 - 25_000);
    }

    private void answer(long clockMicros, Duration roundTrip) {
        Moment sent = time.now();
        time.advance(roundTrip);
        Reply refused = new Reply.Refused(Duration.ofSeconds(1), FencingToken.NONE, clockMicros);
        Outcome outcome = new Outcome(Tally.of(NodeSets.of(1)).with(0, refused), List.of(new Vote(0, "node", refused)));
        inbox.learn(outcome, sent, time.now());
    }

    /** Returns the number for a waiter that has waited since the start. */
    private long number() {
        return Objects.requireNonNull(inbox.ticket("a", start, false, LockMode.EXCLUSIVE))
                .number();
    }
}
