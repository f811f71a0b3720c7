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
}
