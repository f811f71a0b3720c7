package io.holdfast;

import io.holdfast.node.Reply;
import io.holdfast.node.Vote;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Too few nodes gave a usable answer in time, so nobody can tell whether the lock is free. */
public final class QuorumUnreachableException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    private final int nodes;
    private final transient List<Vote> votes;

    QuorumUnreachableException(String resource, int nodes, Duration waited, List<Vote> votes) {
        super(
                resource,
                "No quorum for '" + resource + "': a majority of " + (nodes / 2 + 1) + " of " + nodes
                        + " nodes is needed and did not answer in time; tried for " + waited.toMillis()
                        + " ms. Check that the servers run and that their addresses are right ["
                        + Messages.join(votes) + "]");
        this.nodes = nodes;
        this.votes = votes;
    }

    /** What each node answered in the last round. */
    public List<Vote> votes() {
        return votes;
    }

    /**
     * In how much time a majority will vote, where only nodes in quarantine are missing; as long as somebody stays connected, for
     * nobody else counts the time. Empty if too few nodes answer at all.
     */
    public Optional<Duration> untilVotes() {
        List<Duration> quarantines = votes.stream()
                .filter(vote -> vote.reply() instanceof Reply.Quarantined)
                .map(vote -> ((Reply.Quarantined) vote.reply()).timeLeft())
                .sorted()
                .toList();
        long voting = votes.stream()
                        .filter(vote -> !(vote.reply() instanceof Reply.Failed))
                        .count()
                - quarantines.size();
        long missing = Math.max(1, nodes / 2 + 1 - voting);
        return quarantines.stream().skip(missing - 1).findFirst();
    }
}
