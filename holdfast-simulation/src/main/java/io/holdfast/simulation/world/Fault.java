package io.holdfast.simulation.world;

/**
 * Something that was done to a machine or a network.
 *
 * @param where the name of the machine, or of a client and a node with an arrow between
 * @param what the fault in one or two words
 * @param begins whether it lasts until another fault of the same place ends it
 */
public record Fault(String where, String what, boolean begins) {

    /** Reports that a process has closed its client and ended: no fault for the others. */
    public static final String CLOSED = "closed";

    public boolean isOfItsUser() {
        return what.equals(CLOSED);
    }

    public static Fault of(String where, String what) {
        return new Fault(where, what, false);
    }

    public static Fault lasting(String where, String what) {
        return new Fault(where, what, true);
    }
}
