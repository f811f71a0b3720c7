package io.holdfast.node;

import io.holdfast.lease.FenceRules;
import io.holdfast.lease.FencingToken;
import java.io.Serializable;
import java.time.Duration;

/** The reply of a node to a claim. */
public sealed interface Reply extends Serializable {

    /** A vote for the claim: the node has carried it out. */
    record Granted() implements Reply {}

    /**
     * A vote against the claim. An ACQUIRE is refused because another owner holds the lock, an EXTEND or a RELEASE
     * because this owner does not.
     *
     * @param timeLeft how long the other owner's hold lasts unless it is extended; zero: the lock is not held;
     *     {@link #ENDLESS}: the hold never ends by itself
     * @param fence the greatest fence that the node has accepted for the resource
     * @param clockMicros the node's clock in microseconds since 1970, in the reply to an ACQUIRE; otherwise 0
     * @param holder a mark of the holder, which is the same on all nodes and does not reveal the owner, in the reply to
     *     an ACQUIRE; empty if there is no holder or it is unknown
     */
    record Refused(Duration timeLeft, FencingToken fence, long clockMicros, String holder) implements Reply {

        /** Creates a refusal without a mark of the holder. */
        public Refused(Duration timeLeft, FencingToken fence, long clockMicros) {
            this(timeLeft, fence, clockMicros, "");
        }

        /**
         * The time left of a key without a time to live, 100 years. Holdfast sets no such key, but other programs may.
         */
        public static final Duration ENDLESS = Duration.ofDays(36_525);
    }

    /**
     * A vote against the proposed fence: the lock is free, but the fence is not above the minimum that the node
     * accepts.
     *
     * @param fence the greatest fence that the node rejects
     */
    record Stale(FencingToken fence) implements Reply {}

    /**
     * A vote against the proposed fence: the lock is free, but the fence is so far in the future that the clock of the
     * client or of the node must be wrong.
     *
     * @param present the node's present: the greatest of its clock, in microseconds since 1970, and of the fences that
     *     it knows. It accepts fences up to {@link FenceRules#MAX_LEAD} above
     */
    record Ahead(FencingToken present) implements Reply {}

    /**
     * No vote: the node is in quarantine, since it may have forgotten locks that it granted.
     *
     * @param timeLeft the rest of the quarantine if a client stays connected
     */
    record Quarantined(Duration timeLeft) implements Reply {}

    /**
     * No vote: the node gave no usable answer.
     *
     * @param mayBeCarriedOut whether the node may have carried out the claim, or may still do so
     * @param cause the failure, in one line
     * @param lasting whether waiting does not help, as with a missing right: an administrator has to change something
     */
    record Failed(boolean mayBeCarriedOut, String cause, boolean lasting) implements Reply {

        /** Creates a failure that may end by itself. */
        public Failed(boolean mayBeCarriedOut, String cause) {
            this(mayBeCarriedOut, cause, false);
        }
    }

    /** The only {@link Granted} reply that is needed. */
    Reply GRANTED = new Granted();

    /** Returns the failure of a claim that was never sent. */
    static Failed notSent(String cause) {
        return new Failed(false, cause);
    }

    /** Returns the failure of a claim that the node has not carried out, and that an administrator has to correct. */
    static Failed unfit(String cause) {
        return new Failed(false, cause, true);
    }

    /** Returns the failure of a claim that was sent and may have been carried out. */
    static Failed unknown(String cause) {
        return new Failed(true, cause);
    }
}
