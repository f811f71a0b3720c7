package io.holdfast;

import io.holdfast.lease.ClientDescription;
import io.holdfast.node.Reply;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Vote;
import io.holdfast.time.Durations;
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
    private final @Nullable ClientDescription holder;

    /** Creates an exception without replies, as for an {@link Acquirable} without nodes, such as a fake in a test. */
    public LockTimeoutException(String resource, Duration waited) {
        this(resource, null, waited, Optional.empty());
    }

    /**
     * Creates an exception.
     *
     * @param outcome the last round; null if another lease of this client had the lock
     */
    LockTimeoutException(
            String resource, @Nullable Outcome outcome, Duration waited, Optional<ClientDescription> holder) {
        super(
                resource,
                "'" + resource + "' is " + state(outcome, holder) + "; waited "
                        + Durations.shorter(waited, Durations.FOREVER).toMillis() + " ms"
                        + (outcome == null ? "" : timeLeft(outcome) + " [" + Vote.join(outcome.votes()) + "]"));
        this.waited = waited;
        this.replies = outcome == null
                ? new NodeReply[0]
                : NodeReply.of(outcome.votes()).toArray(NodeReply[]::new);
        this.remainingHold = outcome == null ? null : outcome.freeIn().orElse(null);
        this.heldByOne = outcome == null || outcome.hasSingleHolder();
        this.holder = holder.orElse(null);
    }

    private static String state(@Nullable Outcome outcome, Optional<ClientDescription> holder) {
        return outcome == null || outcome.votes().stream().anyMatch(vote -> vote.reply() instanceof Reply.Refused)
                ? "held by " + holder.map(ClientDescription::toString).orElse("another")
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

    /**
     * Returns what the holder says about itself, as far as a node names it: after a wait of a second or more, for a
     * client that has a {@linkplain HoldfastOptionsBuilder#name name} as well. Another client may hold the lock by now.
     */
    public Optional<ClientDescription> holder() {
        return Optional.ofNullable(holder);
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
