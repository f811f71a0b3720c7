package io.holdfast.simulation.world;

/**
 * Unwinds a task whose process was killed while the task was blocked. Not an exception that the library might handle.
 */
public final class ProcessEnded extends Error {

    private static final long serialVersionUID = 1;

    /** Creates the signal that the process of this task has ended. */
    public ProcessEnded() {
        super("the process has ended", null, false, false);
    }
}
