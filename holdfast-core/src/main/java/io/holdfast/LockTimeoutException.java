package io.holdfast;

import io.holdfast.node.FencingToken;
import io.holdfast.node.Reply;
import io.holdfast.node.Vote;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The lock was held by another until the wait was over. */
public final class LockTimeoutException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    private final int nodes;
    private final transient List<Vote> votes;
    private final transient Optional<Duration> heldFor;

    LockTimeoutException(String resource, int nodes, Duration waited, Optional<Duration> heldFor, List<Vote> votes) {
        super(
                resource,
                "'" + resource + "' is held by another; waited " + waited.toMillis() + " ms"
                        + heldFor.filter(left -> left.compareTo(Reply.Refused.ENDLESS) < 0)
                                .map(left -> ", and it is held for up to " + left.toMillis()
                                        + " ms more unless renewed or released")
                                .orElse("")
                        + " [" + Messages.join(votes) + "]");
        this.nodes = nodes;
        this.votes = votes;
        this.heldFor = heldFor;
    }

    /** When the lock is free if its holder does not renew it; empty where too few nodes said so. */
    public Optional<Duration> heldFor() {
        return heldFor;
    }

    /**
     * Whether a majority of the nodes spoke of one and the same holder. If not, several may have asked at the same moment, of whom none has
     * got it; it is then worth to ask again after a short random time.
     */
    public boolean isHeldByOne() {
        Map<FencingToken, Long> refusals = votes.stream()
                .map(Vote::reply)
                .filter(Reply.Refused.class::isInstance)
                .map(Reply.Refused.class::cast)
                .collect(Collectors.groupingBy(Reply.Refused::fence, Collectors.counting()));
        return refusals.values().stream().anyMatch(count -> count > nodes / 2);
    }

    /** What each node answered in the last round. */
    public List<Vote> votes() {
        return votes;
    }
}
