package io.holdfast.cli;

import io.holdfast.LockStatus;
import io.holdfast.NodeView;
import io.holdfast.node.LockView;
import io.holdfast.node.Reply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The status of locks, for people and for programs. */
final class StatusText {

    private StatusText() {}

    /** One lock on a few lines. */
    static String page(LockStatus status) {
        StringBuilder page = new StringBuilder(line(status)).append(System.lineSeparator());
        for (NodeView<LockView> node : status.nodes()) {
            LockView view = node.told().value();
            page.append("  ")
                    .append(node.node())
                    .append("  ")
                    .append(view == null ? node.told().cause() : describe(view))
                    .append(System.lineSeparator());
        }
        return page.toString();
    }

    /** One lock on one line. */
    static String line(LockStatus status) {
        String name = "'" + status.resource() + "' ";
        if (!status.isQuorum()) {
            return name + "is unknown: too few nodes answer";
        }
        String dispute = status.isDisputed() ? "; the nodes do not agree" : "";
        return name
                + status.held()
                        .map(view -> "is held"
                                + (view.shares() > 0 ? " by " + view.shares() + " together" : "")
                                + (view.note().isEmpty() ? "" : " by " + view.note())
                                + ", " + left(view.timeLeft()) + ", fence " + view.fence()
                                + (view.waiting() > 0 ? ", " + view.waiting() + " waiting" : ""))
                        .orElse(status.isHeldSomewhere() ? "is held by nobody with a majority" : "is free")
                + dispute;
    }

    private static String describe(LockView view) {
        if (!view.isHeld()) {
            return "free";
        }
        return "held by " + view.holder() + ", " + left(view.timeLeft()) + ", fence " + view.fence();
    }

    private static String left(Duration left) {
        return left.equals(Reply.Refused.ENDLESS)
                ? "without an end, so not by Holdfast"
                : String.format("%.1f s left unless renewed", left.toMillis() / 1e3);
    }

    static String json(LockStatus status) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("resource", status.resource());
        fields.put("held", status.held().isPresent());
        fields.put("disputed", status.isDisputed());
        status.held().ifPresent(view -> fields.putAll(fields(view)));
        List<Map<String, Object>> nodes =
                status.nodes().stream().map(StatusText::fields).toList();
        fields.put("nodes", nodes);
        return Json.object(fields);
    }

    private static Map<String, Object> fields(NodeView<LockView> node) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("node", node.node());
        @Nullable LockView view = node.told().value();
        if (view == null) {
            fields.put("cause", node.told().cause());
        } else {
            fields.putAll(fields(view));
        }
        return fields;
    }

    private static Map<String, Object> fields(LockView view) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("holder", view.holder());
        fields.put("shares", view.shares());
        fields.put("leftMillis", view.timeLeft().toMillis());
        fields.put("fence", view.fence().value());
        fields.put("waiting", view.waiting());
        fields.put("note", view.note());
        return fields;
    }
}
