package io.holdfast.node;

import io.holdfast.lease.FencingToken;
import java.time.Duration;

/** The answer of a node to a {@link QuarantineProbe}. */
public sealed interface NodeStanding {

    /**
     * The node votes.
     *
     * @param fenceBound an upper bound of the fences that the node has accepted, for all resources
     * @param agreed which clients it accepts
     */
    record Admitted(FencingToken fenceBound, Agreed agreed) implements NodeStanding {

        /** Returns the answer of a node whose clients no administrator has changed. */
        public static Admitted of(FencingToken fenceBound) {
            return new Admitted(fenceBound, new Agreed(false, ""));
        }
    }

    /**
     * Which clients of its set a node accepts.
     *
     * @param closed {@code true} if only those that have another set as well
     * @param mark names the change by an administrator; see {@link NodeAdmin.Agreement#mark}
     */
    record Agreed(boolean closed, String mark) {

        private static final int MOST_DIGITS = 15;

        /** Returns the number of the change, which grows with each; 0: none. */
        public long number() {
            return number(mark);
        }

        /** Returns a mark of the same change with a text that no mark had before. */
        public static String renewed(String mark, String text) {
            return mark.replaceAll("/.*", "") + "/" + text;
        }

        /** Returns the number of the change with this mark. */
        public static long number(String mark) {
            String digits = mark.replaceAll("\\D.*", "");
            return digits.isEmpty() || digits.length() > MOST_DIGITS ? 0 : Long.parseLong(digits);
        }
    }

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
     * @param reason the kind of the cause
     */
    record Unknown(String cause, Reason reason) implements NodeStanding {

        /** The kinds of causes. */
        public enum Reason {
            /** The cause may end by itself. */
            TRANSIENT,
            /** Waiting does not help, as with a missing right: an administrator has to change something. */
            LASTING,
            /** The node belongs to a set with another number of nodes or longest lease, and perhaps votes there. */
            OTHER_SET,
            /** The node accepts only clients that have another set as well, and perhaps votes for them. */
            CLOSED_SET
        }

        /** Creates an answer that may change by itself. */
        public Unknown(String cause) {
            this(cause, false);
        }

        /** Creates an answer of a node whose set is not known. */
        public Unknown(String cause, boolean lasting) {
            this(cause, lasting ? Reason.LASTING : Reason.TRANSIENT);
        }

        /** Returns the answer of a node whose agreed configuration does not accept that of this client. */
        public static Unknown rejected(QuorumConfig agreed, QuorumConfig client) {
            boolean isOfSet = agreed.alone().equals(client.alone());
            return new Unknown(agreed.rejectionOf(client), isOfSet ? Reason.CLOSED_SET : Reason.OTHER_SET);
        }

        /** Returns {@code true} if waiting does not help. */
        public boolean lasting() {
            return reason != Reason.TRANSIENT;
        }

        /** Returns {@code true} if the node rejects this client, and perhaps votes for others. */
        public boolean isRejection() {
            return reason == Reason.OTHER_SET || reason == Reason.CLOSED_SET;
        }
    }
}
