package io.holdfast.node;

/**
 * Something about a node that its operator should know.
 *
 * @param weight what it means
 * @param text what is the case
 * @param remedy what to do about it; empty if nothing
 */
public record Finding(Weight weight, String text, String remedy) {

    /** What a finding means. */
    public enum Weight {
        /** Nothing to worry about; or something could not be seen. */
        NOTE,
        /** It works now, and may not when it has to. */
        WARNING,
        /** The node does not vote, or its vote is worth nothing. */
        ERROR
    }

    public static Finding note(String text, String remedy) {
        return new Finding(Weight.NOTE, text, remedy);
    }

    public static Finding warning(String text, String remedy) {
        return new Finding(Weight.WARNING, text, remedy);
    }

    public static Finding error(String text, String remedy) {
        return new Finding(Weight.ERROR, text, remedy);
    }
}
