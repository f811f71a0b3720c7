package io.holdfast.simulation.world;

/** The sets of nodes that a client has, while the nodes are being changed. */
public enum Membership {
    PREVIOUS,
    BOTH,
    PRESENT
}
