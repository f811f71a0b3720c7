package io.holdfast.node;

import io.holdfast.lease.FencingToken;
import java.io.Serializable;
import java.time.Duration;

/** What a node answers to a claim. */
public sealed interface Reply extends Serializable {

    /** A yes: the node did what it was asked. */
    record Granted() implements Reply {}

    /**
     * A no: to an ACQUIRE because another owner holds the lock, to an EXTEND or RELEASE because this owner does not.
     *
     * @param timeLeft how long the other owner's hold lasts unless it is extended; zero: nobody holds it;
     *     {@link #ENDLESS}: it never ends by itself
     * @param fence the greatest fencing token that the node has accepted for the resource
     * @param clockMicros the node's clock in microseconds since 1970, in the answer to an ACQUIRE; otherwise 0
     * @param holder a mark of the holder that is the same on all nodes and gives its owner token away to nobody, in the answer to an
     *     ACQUIRE; empty: there is none, or it is not known
     */
    record Refused(Duration timeLeft, FencingToken fence, long clockMicros, String holder) implements Reply {

        /** A refusal that does not say who the holder is. */
        public Refused(Duration timeLeft, FencingToken fence, long clockMicros) {
            this(timeLeft, fence, clockMicros, "");
        }

        /** The time left of a key without a time to live, which Holdfast does not make but others may: 100 years. */
        public static final Duration ENDLESS = Duration.ofDays(36_525);
    }

    /**
     * A no: the lock is free, but the proposed fencing token is not above the one accepted before.
     *
     * @param fence that one
     */
    record Stale(FencingToken fence) implements Reply {}

    /**
     * A no: the lock is free, but the proposed fencing token lies so far in the future that the client's clock must be wrong, or
     * the node's.
     *
     * @param present what the node takes for the present: the greatest of its clock, in microseconds since 1970, and of the
     *     fences that it knows. It accepts what lies up to ten seconds above
     */
    record Ahead(FencingToken present) implements Reply {}

    /**
     * No vote: the node may have forgotten what it granted, and does not take part until that no longer matters.
     *
     * @param timeLeft how long that is if a client stays connected
     */
    record Quarantined(Duration timeLeft) implements Reply {}

    /**
     * Unknown: no usable answer.
     *
     * @param mayHaveLanded whether the node may have carried out the claim, or may still do so
     * @param cause one line for the user: what went wrong
     */
    record Failed(boolean mayHaveLanded, String cause) implements Reply {}

    Reply GRANTED = new Granted();

    /** The claim was never sent. */
    static Failed notSent(String cause) {
        return new Failed(false, cause);
    }

    /** The claim was sent, and what became of it is not known. */
    static Failed unknown(String cause) {
        return new Failed(true, cause);
    }
}
