package io.holdfast.node;

/**
 * Something about a node that its operator should know.
 *
 * @param severity what it means
 * @param text what is the case
 * @param remedy what to do about it; empty if nothing
 */
public record Finding(Severity severity, String text, String remedy) {

    /** What a finding means. */
    public enum Severity {
        /** Nothing to worry about; or something could not be seen. */
        NOTE,
        /** It works now, and may not when it has to. */
        WARNING,
        /** The node does not vote, or its vote is worth nothing. */
        ERROR
    }

    public static Finding note(String text, String remedy) {
        return new Finding(Severity.NOTE, text, remedy);
    }

    public static Finding warning(String text, String remedy) {
        return new Finding(Severity.WARNING, text, remedy);
    }

    public static Finding error(String text, String remedy) {
        return new Finding(Severity.ERROR, text, remedy);
    }
}
