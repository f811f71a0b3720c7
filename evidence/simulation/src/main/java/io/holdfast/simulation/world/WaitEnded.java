package io.holdfast.simulation.world;

/** Ends a wait of a task as an error of its thread does, such as a full stack. The process goes on. */
public final class WaitEnded extends Error {

    private static final long serialVersionUID = 1;

    /** Creates the error. */
    public WaitEnded() {
        super("the wait has ended", null, false, false);
    }
}
