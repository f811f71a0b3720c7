package io.holdfast;

import io.holdfast.node.Reply;
import io.holdfast.node.Vote;
import io.holdfast.quorum.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the nodes refused the lock until the wait limit was over: another holder had it, or, rarely, several
 * clients split the votes or overtook each other's fencing tokens.
 */
public final class LockTimeoutException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    private final Duration waited;
    private final NodeReply[] replies;
    private final @Nullable Duration remainingHold;
    private final boolean heldByOne;

    /** Creates an exception without replies, as for an {@link Acquirable} without nodes, such as a fake in a test. */
    public LockTimeoutException(String resource, Duration waited) {
        super(resource, "'" + resource + "' is held by another; waited " + waited.toMillis() + " ms");
        this.waited = waited;
        this.replies = new NodeReply[0];
        this.remainingHold = null;
        this.heldByOne = true;
    }

    LockTimeoutException(String resource, Outcome outcome, Duration waited) {
        super(
                resource,
                "'" + resource + "' is " + state(outcome) + "; waited " + waited.toMillis() + " ms" + timeLeft(outcome)
                        + " [" + Vote.join(outcome.votes()) + "]");
        this.waited = waited;
        this.replies = NodeReply.of(outcome.votes()).toArray(NodeReply[]::new);
        this.remainingHold = outcome.freeIn().orElse(null);
        this.heldByOne = outcome.hasSingleHolder();
    }

    private static String state(Outcome outcome) {
        return outcome.votes().stream().anyMatch(vote -> vote.reply() instanceof Reply.Refused)
                ? "held by another"
                : "free, but too few nodes accepted a fencing token of this client; try again";
    }

    /** Returns nothing if a majority reports that the lock is free, since only some nodes have a holder then. */
    private static String timeLeft(Outcome outcome) {
        return outcome.freeIn()
                .filter(left -> !left.isZero() && left.compareTo(Reply.Refused.ENDLESS) < 0)
                .map(left -> ", and it is held for up to " + left.toMillis() + " ms more unless renewed or released")
                .orElse("");
    }

    /**
     * Returns the time after which the lock is free if its holder neither renews nor releases it. Counts from the last
     * round; empty if too few nodes reported it, or if another lease of this client had the lock.
     */
    public Optional<Duration> remainingHold() {
        return Optional.ofNullable(remainingHold);
    }

    /**
     * Returns {@code true} if a majority of the nodes reported the same holder, or if another lease of this client had
     * the lock. Otherwise several clients may have asked at the same moment, and none of them was granted the lock;
     * another attempt after a short random time is then worthwhile.
     */
    public boolean hasSingleHolder() {
        return heldByOne;
    }

    /** Returns the time from the request to this failure. */
    public Duration waited() {
        return waited;
    }

    /**
     * Returns the reply of each node in the last round in which this client asked for the lock, for a diagnosis. Empty
     * if another lease of this client had the lock: then the client has not asked.
     */
    public List<NodeReply> replies() {
        return List.of(replies);
    }
}
