package io.holdfast.quorum;

import static io.holdfast.time.Durations.longer;
import static io.holdfast.time.Durations.part;
import static io.holdfast.time.Durations.shorter;

import java.time.Duration;

/**
 * The limits of the rounds of a lock. A round ends with its verdict, so a long limit costs nothing unless a majority of
 * the nodes is silent.
 *
 * @param nodeTimeout the longest time of a round
 * @param renewal the longest time of a renewal, for which no caller waits
 * @param minority the least time for which an attempt to acquire waits for a minority after a majority has voted
 */
public record NodePatience(Duration nodeTimeout, Duration renewal, Duration minority) {

    private static final Duration LONGEST = Duration.ofMillis(500);
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST_MINORITY = Duration.ofMillis(50);
    private static final int ROUNDS_PER_LEASE = 3;
    private static final int MINORITIES_PER_LEASE = 10;
    private static final int RENEWALS_PER_LEASE = 30;

    /** Returns a time that was given: it bounds every round. */
    public static NodePatience exactly(Duration nodeTimeout) {
        return new NodePatience(nodeTimeout, nodeTimeout, nodeTimeout);
    }

    /**
     * Returns these times for the grants of a standing claim: all nodes send them when the same release arrives. If
     * different claims were granted, none of them has a majority, and every waiter waits for nothing.
     */
    public NodePatience ofGrants() {
        return new NodePatience(nodeTimeout, renewal, shorter(minority, LONGEST_MINORITY));
    }

    /**
     * Returns the times of a lease: half a second or a third of the lease for a round, whichever is shorter. A renewal
     * may take a thirtieth of the lease if that is longer.
     *
     * @param usable the part of the lease within which a grant is of use, more than a millisecond
     */
    public static NodePatience of(Duration lease, Duration usable) {
        Duration useful = shorter(part(lease, ROUNDS_PER_LEASE), usable.minus(SHORTEST));
        Duration round = longer(SHORTEST, shorter(LONGEST, useful));
        Duration renewal = longer(round, part(lease, RENEWALS_PER_LEASE));
        return new NodePatience(
                round, renewal, shorter(round, shorter(LONGEST_MINORITY, part(lease, MINORITIES_PER_LEASE))));
    }
}
