package io.holdfast.node;

import java.util.List;
import java.util.Map;

/**
 * The result of an examination of one node.
 *
 * @param facts what was read, in an order for people: version, role, round trip and so on
 * @param findings what there is to say about it
 */
public record Diagnosis(Map<String, String> facts, List<Finding> findings) {

    public Diagnosis {
        findings = List.copyOf(findings);
    }
}
