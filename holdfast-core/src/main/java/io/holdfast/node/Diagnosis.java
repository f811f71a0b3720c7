package io.holdfast.node;

import java.util.List;
import java.util.Map;

/**
 * The result of an examination of one node.
 *
 * @param facts labels and values as an administrator reads them, in the order of display: version, role, round trip and
 *     so on
 * @param findings the notes, warnings and errors; unmodifiable
 */
public record Diagnosis(Map<String, String> facts, List<Finding> findings) {

    /** Creates a diagnosis with a copy of the findings. */
    public Diagnosis {
        findings = List.copyOf(findings);
    }
}
