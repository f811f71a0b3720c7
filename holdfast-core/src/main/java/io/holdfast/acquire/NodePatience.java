package io.holdfast.acquire;

import static io.holdfast.time.Durations.longer;
import static io.holdfast.time.Durations.part;
import static io.holdfast.time.Durations.shorter;

import io.holdfast.node.Reply;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Verdict;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The longest wait of an acquisition for the replies to its next round. It doubles after each round that nodes answered
 * too late: a busy client reads replies late, and would otherwise withdraw and repeat every round. One round is learned
 * from at a time; any thread may read the timeout.
 */
final class NodePatience {

    private static final Duration LONGEST = Duration.ofMillis(500);
    private static final int ROUNDS_PER_LEASE = 3;

    private final LockParameters parameters;
    private final Time time;
    private volatile @Nullable Wait learned;

    /** A wait for replies, and the time that was left to the acquisition at a moment. */
    private record Wait(Duration timeout, Duration left, Moment since) {}

    NodePatience(LockParameters parameters, Time time) {
        this.parameters = parameters;
        this.time = time;
    }

    /** Returns the wait of a busy client: half a second or a third of the lease, but not less than the node timeout. */
    static Duration longest(LockParameters parameters) {
        return longer(parameters.nodeTimeout(), shorter(LONGEST, part(parameters.ttl(), ROUNDS_PER_LEASE)));
    }

    /** Returns the longest wait of a round that begins now. It ends with the acquisition or after the node timeout. */
    Duration timeout() {
        Wait wait = learned;
        Duration usual = parameters.nodeTimeout();
        return wait == null
                ? usual
                : longer(usual, shorter(wait.timeout, wait.left.minus(time.now().surelySince(wait.since))));
    }

    /**
     * Learns from the outcome of a round.
     *
     * @param left the time from now within which the next attempt may begin
     */
    void learn(Outcome outcome, Duration left) {
        boolean late = outcome.verdict() == Verdict.UNREACHABLE
                && outcome.votes().stream()
                        .anyMatch(vote -> vote.reply() instanceof Reply.Failed failed && failed.mayHaveLanded());
        Wait before = learned;
        Duration doubled = Durations.times(before == null ? parameters.nodeTimeout() : before.timeout, 2);
        learned = late ? new Wait(shorter(doubled, longest(parameters)), left, time.now()) : null;
    }
}
