package io.holdfast;

import io.holdfast.node.Reply;
import io.holdfast.quorum.NodeSets;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Tally;
import io.holdfast.quorum.Vote;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Thrown if too few nodes gave a usable reply in time, so that it is unknown whether the lock is free. */
public final class QuorumUnreachableException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    private final NodeSets sets;
    private final Duration waited;
    private final NodeReply[] replies;
    /** The number of the node of each reply. */
    private final int[] indexes;

    private final @Nullable Duration quorumExpectedIn;

    QuorumUnreachableException(String resource, Outcome outcome, Duration waited) {
        super(
                resource,
                "No quorum for '" + resource + "': a majority of "
                        + outcome.tally().sets() + " has to vote, and fewer did; tried for " + waited.toMillis() + " ms"
                        + remedy(outcome) + " [" + Vote.join(outcome.votes())
                        + "]");
        this.sets = outcome.tally().sets();
        this.waited = waited;
        this.replies = NodeReply.of(outcome.votes()).toArray(NodeReply[]::new);
        this.indexes = outcome.votes().stream().mapToInt(Vote::index).toArray();
        this.quorumExpectedIn = outcome.quorumIn().orElse(null);
    }

    /** Nodes in quarantine answer, and a lasting failure contains its own remedy. A node that votes has been in use. */
    private static String remedy(Outcome outcome) {
        List<Vote> votes = outcome.votes();
        boolean isSilent =
                votes.stream().anyMatch(vote -> vote.reply() instanceof Reply.Failed failed && !failed.lasting());
        if (isSilent) {
            return ". Check that the servers run and that their addresses are right";
        }
        Tally tally = outcome.tally();
        boolean noneVotes = votes.stream().noneMatch(vote -> vote.reply() instanceof Reply.Failed)
                && tally.sets().isAnySetWithout(tally.granted() | tally.refused() | tally.stale());
        return noneVotes
                ? ". If all nodes are new, end their quarantine with `holdfast admit`; otherwise keep a client "
                        + "connected until it ends"
                : "";
    }

    /** Returns the number of all nodes. */
    public int nodes() {
        return sets.size();
    }

    /**
     * Returns {@code true} if the nodes whose reply in the last round is of another kind, or is missing, would be a
     * majority.
     */
    public boolean isMajorityWithout(Set<NodeReply.Kind> kinds) {
        long without = 0;
        for (int i = 0; i < replies.length; i++) {
            without |= kinds.contains(replies[i].kind()) ? NodeSets.node(indexes[i]) : 0;
        }
        return sets.isMajority(~without);
    }

    /** Returns the time from the request to this failure. */
    public Duration waited() {
        return waited;
    }

    /** Returns the reply of each node in the last round, for a diagnosis. */
    public List<NodeReply> replies() {
        return List.of(replies);
    }

    /**
     * Returns the time until a majority votes again, if only nodes in quarantine are missing and a client stays
     * connected to them; empty if too few nodes answer at all. Counts from the last round.
     */
    public Optional<Duration> quorumExpectedIn() {
        return Optional.ofNullable(quorumExpectedIn);
    }
}
