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
     * @param observed the time that has certainly passed since its quarantine began
     * @param byUs whether the client that sent the probe is its observer now
     * @param quarantine names this quarantine of the node; empty if it has no name
     */
    record Quarantined(Duration observed, boolean byUs, String quarantine) implements NodeStanding {}

    /**
     * The node gave no usable answer.
     *
     * @param cause the reason in one line
     * @param lasting whether waiting cannot mend it, such as a missing right: a person has to change something
     */
    record Unknown(String cause, boolean lasting) implements NodeStanding {

        /** Creates an answer that may change by itself. */
        public Unknown(String cause) {
            this(cause, false);
        }
    }
}
