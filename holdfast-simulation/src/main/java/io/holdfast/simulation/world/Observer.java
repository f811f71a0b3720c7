package io.holdfast.simulation.world;

import io.holdfast.lease.Loss;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;

/**
 * Sees a run from outside, as nobody can who takes part in it. Checkers and the time line listen to what they need. Called on
 * the one thread of the run, at the moment when it happens.
 */
public interface Observer {

    /** The run is about to begin. */
    default void enter(World world) {}

    /** A client gives a claim to its connection, for one node. The same object goes to all nodes of one round, but for releases. */
    default void sent(SimulatedClient client, SimulatedNode node, Claim claim) {}

    /** A claim has arrived at a node, which is about to look at it. */
    default void arrived(SimulatedNode node, Claim claim) {}

    /** A node has carried out a claim, or refused it. */
    default void processed(SimulatedNode node, Claim claim, Reply reply) {}

    /** A client has been given a lease. It may have been lost on the way. */
    default void granted(ObservedLease holding) {}

    /** A client goes on with a lease that another has, or has detached. */
    default void resumed(ObservedLease holding) {}

    /** The holder has detached the lease, for somebody else to resume. */
    default void detached(ObservedLease holding) {}

    /** The holder was told that the lock is released. */
    default void released(ObservedLease holding) {}

    /** The holder looks after its lease, and finds it live. */
    default void relied(ObservedLease holding) {}

    /** The holder writes to what the lock guards; whether the resource accepted the token. */
    default void wrote(ObservedLease holding, boolean accepted) {}

    /** The holder is told that it has lost the lease. */
    default void lost(ObservedLease holding, Loss loss) {}

    /** The holder is about to release the lease. */
    default void releasing(ObservedLease holding) {}

    /** Something was done to a machine or a network. */
    default void struck(Fault fault) {}

    /** An operator has deleted the key of a lock on one node. */
    default void deleted(SimulatedNode node, String resource) {}

    /** Faults have ended. */
    default void healed() {}

    /** The same, and whatever was owed to nodes that are back has had time to be paid. */
    default void calm() {}

    /** All clients have stopped. */
    default void ended() {}
}
