package io.holdfast;

import io.holdfast.node.Vote;
import io.holdfast.quorum.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Too few nodes gave a usable answer in time, so nobody can tell whether the lock is free. */
public final class QuorumUnreachableException extends HoldfastException {

    private static final long serialVersionUID = 1L;

    private final Vote[] votes;
    private final @Nullable Duration quorumExpectedIn;

    QuorumUnreachableException(String resource, Outcome outcome, Duration waited) {
        super(
                resource,
                "No quorum for '" + resource + "': a majority of "
                        + outcome.tally().majority() + " of " + outcome.tally().nodes()
                        + " nodes is needed and did not answer in time; tried for " + waited.toMillis()
                        + " ms. Check that the servers run and that their addresses are right ["
                        + Vote.join(outcome.votes()) + "]");
        this.votes = outcome.votes().toArray(Vote[]::new);
        this.quorumExpectedIn = outcome.quorumIn().orElse(null);
    }

    /** What each node answered in the last round. */
    public List<Vote> votes() {
        return List.of(votes);
    }

    /**
     * In how much time a majority will vote, where only nodes in quarantine are missing; as long as somebody stays connected, for
     * nobody else counts the time. Empty if too few nodes answer at all.
     */
    public Optional<Duration> quorumExpectedIn() {
        return Optional.ofNullable(quorumExpectedIn);
    }
}
