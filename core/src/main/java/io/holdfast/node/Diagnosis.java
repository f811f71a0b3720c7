package io.holdfast.node;

import java.util.List;
import java.util.Map;

/**
 * The result of an examination of one node.
 *
 * @param facts values by name, in the order of display; a name is in camel case and ends with the unit, such as {@code
 *     roundTripMillis}; a value is a string, a number or a boolean. {@code votes} says whether the node votes now
 * @param findings the notes, warnings and errors; unmodifiable
 */
public record Diagnosis(Map<String, Object> facts, List<Finding> findings) {

    /** Creates a diagnosis with a copy of the findings. */
    public Diagnosis {
        findings = List.copyOf(findings);
    }

    /** Returns {@code true} if the fact {@code votes} is true. */
    public boolean votes() {
        return Boolean.TRUE.equals(facts.get("votes"));
    }

    /** Returns {@code true} if there is a finding of this severity. */
    public boolean has(Finding.Severity severity) {
        return findings.stream().anyMatch(finding -> finding.severity() == severity);
    }

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
}
