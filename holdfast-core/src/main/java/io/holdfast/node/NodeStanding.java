package io.holdfast.node;

import io.holdfast.lease.FencingToken;
import java.time.Duration;

/** What a node answers to a {@link QuarantineProbe}. */
public sealed interface NodeStanding {

    /**
     * The node votes.
     *
     * @param fenceBound no smaller than any fence that it has accepted, for whatever resource
     */
    record Admitted(FencingToken fenceBound) implements NodeStanding {}

    /**
     * The node does not vote.
     *
     * @param observed for how long it has been watched so far
     * @param byUs whether whoever asked is its watcher now
     */
    record Quarantined(Duration observed, boolean byUs) implements NodeStanding {}

    /**
     * No usable answer.
     *
     * @param cause one line for the user
     */
    record Unknown(String cause) implements NodeStanding {}
}
