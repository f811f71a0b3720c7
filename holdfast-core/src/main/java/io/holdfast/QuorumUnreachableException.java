package io.holdfast;

import io.holdfast.node.Vote;
import java.time.Duration;
import java.util.List;

/** Too few nodes gave a usable answer in time, so nobody can tell whether the lock is free. */
public final class QuorumUnreachableException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    private final transient List<Vote> votes;

    QuorumUnreachableException(String resource, int nodes, Duration waited, List<Vote> votes) {
        super(
                resource,
                "No quorum for '" + resource + "': a majority of " + (nodes / 2 + 1) + " of " + nodes
                        + " nodes is needed and did not answer in time; tried for " + waited.toMillis()
                        + " ms. Check that the servers run and that their addresses are right ["
                        + Messages.join(votes) + "]");
        this.votes = votes;
    }

    /** What each node answered in the last round. */
    public List<Vote> votes() {
        return votes;
    }
}
