package io.holdfast.cli.output;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.admin.NodeChange;
import io.holdfast.admin.NodeChange.Access;
import io.holdfast.console.json.Json;
import io.holdfast.node.Diagnosis;
import io.holdfast.node.Diagnosis.Finding;
import io.holdfast.node.NodeAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The state of a change of the servers, as text and as JSON.
 *
 * @param left the locks that clients of one set alone hold; empty if that is not known
 */
public record ChangeText(NodeChange.State state, Optional<List<LockStatus>> left) {

    /** Returns the state in lines: of each server, of each lock that is left, of the change. */
    public String text() {
        StringBuilder text = new StringBuilder();
        state.nodes().forEach(node -> line(text, node.node() + "  " + text(node)));
        left.orElse(List.of())
                .forEach(lock -> line(text, "held by a client of one set alone: " + StatusText.line(lock)));
        line(text, accepted());
        if (!state.obstacle().isEmpty()) {
            line(text, "the two sets do not fit: " + state.obstacle());
        }
        return text.toString();
    }

    /** Returns what is known of this machine, and that the two sets of its options do not fit, if they do not. */
    public static Diagnosis added(Diagnosis machine, LockAdmin admin) {
        String obstacle = admin.previous()
                .map(previous -> admin.change().state().obstacle())
                .orElse("");
        if (obstacle.isEmpty()) {
            return machine;
        }
        List<Finding> findings = new ArrayList<>(machine.findings());
        findings.add(Finding.error("--nodes and --previous-nodes do not fit: " + obstacle, ""));
        return new Diagnosis(machine.facts(), findings);
    }

    private static void line(StringBuilder text, String line) {
        text.append(line).append(System.lineSeparator());
    }

    private static String text(NodeAnswer<Access> node) {
        Access access = node.value();
        return access == null
                ? node.error()
                : access == Access.BOTH
                        ? "accepts clients of both sets"
                        : "accepts clients of its set alone and of both";
    }

    /** Returns whether a majority of each set says, and agrees, which clients it accepts. */
    public boolean isKnown() {
        return state.present() != Access.UNKNOWN && state.previous() != Access.UNKNOWN;
    }

    private String accepted() {
        if (!isKnown()) {
            return "too few servers of one set say, or agree, which clients they accept";
        } else if (state.present() == Access.ALL && state.previous() == Access.ALL) {
            return "no step is taken: clients of the previous set, of the present set and of both are accepted";
        } else if (state.previous() == Access.ALL) {
            return "step 1 of 3: clients of the previous set and of both are accepted";
        }
        return state.present() == Access.ALL
                ? "step 3 of 3: clients of the present set and of both are accepted"
                : "step 2 of 3: only clients of both sets are accepted";
    }

    /** Returns the servers that do not answer, or accept other clients than the majority of their set. */
    public List<String> missing() {
        return IntStream.range(0, state.nodes().size())
                .filter(i ->
                        state.nodes().get(i).value() != (i < state.presentNodes() ? state.present() : state.previous()))
                .mapToObj(i -> state.nodes().get(i).node())
                .toList();
    }

    /** Returns the names of these locks. */
    public static List<String> names(List<LockStatus> locks) {
        return locks.stream().map(LockStatus::resource).toList();
    }

    /** Returns the state as one object. */
    public String json() {
        return Json.object(Json.fields(
                "present",
                word(state.present()),
                "previous",
                word(state.previous()),
                "nodes",
                state.nodes().stream().map(ChangeText::fields).toList(),
                "missing",
                missing(),
                "left",
                left.<Object>map(ChangeText::names).orElse(Json.NULL),
                "obstacle",
                state.obstacle().isEmpty() ? Json.NULL : state.obstacle()));
    }

    private static Map<String, Object> fields(NodeAnswer<Access> node) {
        Access access = node.value();
        return access == null
                ? Json.fields("node", node.node(), "error", node.error())
                : Json.fields("node", node.node(), "accepts", word(access));
    }

    private static Object word(Access access) {
        return switch (access) {
            case ALL -> "all";
            case BOTH -> "both";
            case UNKNOWN -> Json.NULL;
        };
    }
}
