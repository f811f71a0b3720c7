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
     * @param lasting whether waiting does not help, as with a missing right: an administrator has to change something
     * @param ofOtherSet whether the node belongs to a set with another number of nodes or another longest lease
     */
    record Unknown(String cause, boolean lasting, boolean ofOtherSet) implements NodeStanding {

        /** Creates an answer that may change by itself. */
        public Unknown(String cause) {
            this(cause, false);
        }

        /** Creates an answer of a node whose set is not known. */
        public Unknown(String cause, boolean lasting) {
            this(cause, lasting, false);
        }

        /** Returns the answer of a node that belongs to another set, and perhaps votes there. */
        public static Unknown ofOtherSet(String cause) {
            return new Unknown(cause, true, true);
        }
    }
}
