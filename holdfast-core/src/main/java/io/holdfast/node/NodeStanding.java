package io.holdfast.node;

import io.holdfast.lease.FencingToken;
import java.time.Duration;

/** The answer of a node to a {@link QuarantineProbe}. */
public sealed interface NodeStanding {

    /**
     * The node votes.
     *
     * @param fenceBound an upper bound of the fences that the node has accepted, for all resources
     */
    record Admitted(FencingToken fenceBound) implements NodeStanding {}

    /**
     * The node is in quarantine and does not vote.
     *
     * @param observed the time for which clients have observed it so far
     * @param byUs whether the client that sent the probe is its observer now
     */
    record Quarantined(Duration observed, boolean byUs) implements NodeStanding {}

    /**
     * The node gave no usable answer.
     *
     * @param cause the reason in one line
     */
    record Unknown(String cause) implements NodeStanding {}
}
