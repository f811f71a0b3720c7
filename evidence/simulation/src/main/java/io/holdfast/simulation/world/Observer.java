package io.holdfast.simulation.world;

import io.holdfast.lease.Loss;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.node.WakeUp;
import io.holdfast.record.LockRecord;
import java.time.Duration;

/**
 * Observes a run from outside, with knowledge that no participant has. Checkers and the time line implement the events
 * that they need. All events arrive on the one thread of the run, at the moment when they happen.
 */
public interface Observer {

    /** The run is about to begin. */
    default void enter(World world) {}

    /**
     * A client sends another claim than the last one of all clients, usually at the beginning of a round. {@link #sent}
     * follows for each node.
     */
    default void asked(SimulatedClient client, Claim claim) {}

    /** A client sends a claim to one node. All nodes of a round get the same object, except in releases. */
    default void sent(SimulatedClient client, SimulatedNode node, Claim claim) {}

    /** A claim has arrived at a node, which is about to process it. */
    default void arrived(SimulatedNode node, Claim claim) {}

    /** A node has executed a claim, or rejected it. */
    default void processed(SimulatedNode node, Claim claim, Reply reply) {}

    /** A node has carried out a standing claim, in the release that is {@link #processed} next. */
    default void carriedOut(SimulatedNode node, Claim claim) {
        processed(node, claim, Reply.GRANTED);
    }

    /** A node has sent a notification to a client, which may be lost on the way. */
    default void notified(SimulatedNode node, SimulatedClient client, WakeUp wakeUp) {}

    /** A client has received a lease, which may have been lost on the way. */
    default void granted(ObservedLease holding) {}

    /** A client resumes a lease that another client holds, or has detached. */
    default void resumed(ObservedLease holding) {}

    /** The holder has detached the lease, for another client to resume. */
    default void detached(ObservedLease holding) {}

    /** The holder has received the confirmation that the lock is released. */
    default void released(ObservedLease holding) {}

    /** The holder checks its lease, and finds it live. */
    default void relied(ObservedLease holding) {}

    /** The holder writes to the guarded resource, which accepts or rejects the token. */
    default void wrote(ObservedLease holding, boolean accepted) {}

    /** The holder is notified that it has lost the lease. */
    default void lost(ObservedLease holding, Loss loss) {}

    /** The holder is about to release the lease. */
    default void releasing(ObservedLease holding) {}

    /** The holder is about to release the lease and asks the nodes to keep the lock for this long. */
    default void retaining(ObservedLease holding, Duration keep) {}

    /** The holder has received the confirmation that the nodes keep the lock. */
    default void retained(ObservedLease holding) {}

    /** The holder is about to read the record beside the lock. */
    default void readingRecord(ObservedLease holding) {}

    /** The holder has read the record beside the lock. */
    default void recordRead(ObservedLease holding, LockRecord read) {}

    /** The holder has received the confirmation that its record, which is its token, is written. */
    default void recordWritten(ObservedLease holding) {}

    /** A fault has struck a machine or a network. */
    default void struck(Fault fault) {}

    /** An administrator has deleted the key of a lock on one node. */
    default void deleted(SimulatedNode node, String resource) {}

    /** Faults have ended. */
    default void healed() {}

    /** A change of the nodes has reached its end, in either direction. */
    default void changed() {}

    /** Faults have ended, and pending cleanup on the nodes has had time to finish. */
    default void calm() {}

    /** All clients have stopped. */
    default void ended() {}
}
