package io.holdfast;

import io.holdfast.node.Reply;
import io.holdfast.node.Vote;
import io.holdfast.quorum.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The lock was held by another until the wait was over. */
public final class LockTimeoutException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    private final Vote[] votes;
    private final @Nullable Duration remainingHold;
    private final boolean heldByOne;

    LockTimeoutException(String resource, Outcome outcome, Duration waited) {
        super(
                resource,
                "'" + resource + "' is held by another; waited " + waited.toMillis() + " ms"
                        + outcome.freeIn()
                                .filter(left -> left.compareTo(Reply.Refused.ENDLESS) < 0)
                                .map(left -> ", and it is held for up to " + left.toMillis()
                                        + " ms more unless renewed or released")
                                .orElse("")
                        + " [" + Vote.join(outcome.votes()) + "]");
        this.votes = outcome.votes().toArray(Vote[]::new);
        this.remainingHold = outcome.freeIn().orElse(null);
        this.heldByOne = outcome.hasSingleHolder();
    }

    /** When the lock is free if its holder does not renew it; empty where too few nodes said so. */
    public Optional<Duration> remainingHold() {
        return Optional.ofNullable(remainingHold);
    }

    /**
     * Whether a majority of the nodes spoke of one and the same holder. If not, several may have asked at the same moment, of whom none has
     * got it; it is then worth to ask again after a short random time.
     */
    public boolean hasSingleHolder() {
        return heldByOne;
    }

    /** What each node answered in the last round. */
    public List<Vote> votes() {
        return List.of(votes);
    }
}
