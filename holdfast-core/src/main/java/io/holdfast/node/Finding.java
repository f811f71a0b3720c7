package io.holdfast.node;

/**
 * A property of a node that its administrator should know.
 *
 * @param severity the consequence for the locks
 * @param text the property, as a sentence
 * @param remedy the action that an administrator should take; empty if none is needed
 */
public record Finding(Severity severity, String text, String remedy) {

    /** The consequence of a finding. */
    public enum Severity {
        /** The property needs no action, or could not be examined. */
        NOTE,
        /** The node votes now, but may fail or forget locks later. */
        WARNING,
        /** The node does not vote, or its vote cannot be relied on. */
        ERROR
    }

    /** Returns a finding of severity {@link Severity#NOTE}. */
    public static Finding note(String text, String remedy) {
        return new Finding(Severity.NOTE, text, remedy);
    }

    /** Returns a finding of severity {@link Severity#WARNING}. */
    public static Finding warning(String text, String remedy) {
        return new Finding(Severity.WARNING, text, remedy);
    }

    /** Returns a finding of severity {@link Severity#ERROR}. */
    public static Finding error(String text, String remedy) {
        return new Finding(Severity.ERROR, text, remedy);
    }
}
