package io.holdfast;

import io.holdfast.node.Reply;
import io.holdfast.node.Vote;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The lock was held by another until the wait was over. */
public final class LockTimeoutException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    private final transient List<Vote> votes;
    private final transient Optional<Duration> heldFor;

    LockTimeoutException(String resource, Duration waited, Optional<Duration> heldFor, List<Vote> votes) {
        super(
                resource,
                "'" + resource + "' is held by another; waited " + waited.toMillis() + " ms"
                        + heldFor.filter(left -> left.compareTo(Reply.Refused.ENDLESS) < 0)
                                .map(left -> ", and it is held for up to " + left.toMillis()
                                        + " ms more unless renewed or released")
                                .orElse("")
                        + " [" + Messages.join(votes) + "]");
        this.votes = votes;
        this.heldFor = heldFor;
    }

    /** When the lock is free if its holder does not renew it; empty where too few nodes said so. */
    public Optional<Duration> heldFor() {
        return heldFor;
    }

    /** What each node answered in the last round. */
    public List<Vote> votes() {
        return votes;
    }
}
