package io.holdfast.cli.output;

import io.holdfast.admin.LockStatus;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.Reply;
import java.time.Duration;
import java.util.Map;

/** The status of locks as text and as JSON. */
public final class StatusText {

    private StatusText() {}

    /** Describes a lock on several lines: a summary, then the state of each node. */
    public static String detail(LockStatus status) {
        StringBuilder text = new StringBuilder(line(status)).append(System.lineSeparator());
        for (NodeAnswer<NodeLockStatus> node : status.nodes()) {
            NodeLockStatus view = node.value();
            text.append("  ")
                    .append(node.node())
                    .append("  ")
                    .append(view == null ? node.error() : describe(view))
                    .append(System.lineSeparator());
        }
        return text.toString();
    }

    /** Describes a lock on one line. */
    public static String line(LockStatus status) {
        String name = "'" + status.resource() + "' ";
        if (!status.isQuorum()) {
            return name + "is unknown: too few nodes answer";
        }
        String disagreement = status.isDisputed() ? "; the nodes do not agree" : "";
        return name
                + status.held()
                        .map(view -> "is held"
                                + (view.shares() > 0 ? " by " + view.shares() + " shared holders" : "")
                                + (view.note().isEmpty() ? "" : " by " + view.note())
                                + ", " + remaining(view.timeLeft()) + ", fence " + view.fence()
                                + (view.waiting() > 0 ? ", " + view.waiting() + " waiting" : ""))
                        .orElse(status.isHeldSomewhere() ? "is held on some nodes, but not on a majority" : "is free")
                + disagreement;
    }

    private static String describe(NodeLockStatus view) {
        if (!view.isHeld()) {
            return "free";
        }
        return "held by " + view.holder() + ", " + remaining(view.timeLeft()) + ", fence " + view.fence();
    }

    private static String remaining(Duration remaining) {
        return remaining.equals(Reply.Refused.ENDLESS)
                ? "without a time limit, so not by Holdfast"
                : String.format("%.1f s left unless renewed", remaining.toMillis() / 1e3);
    }

    public static String json(LockStatus status) {
        Map<String, Object> fields = Json.fields(
                "resource", status.resource(),
                "held", status.held().isPresent(),
                "disputed", status.isDisputed());
        status.held().ifPresent(view -> fields.putAll(fields(view)));
        fields.put("nodes", status.nodes().stream().map(StatusText::fields).toList());
        return Json.object(fields);
    }

    private static Map<String, Object> fields(NodeAnswer<NodeLockStatus> node) {
        Map<String, Object> fields = Json.fields("node", node.node());
        NodeLockStatus view = node.value();
        fields.putAll(view == null ? Json.fields("error", node.error()) : fields(view));
        return fields;
    }

    private static Map<String, Object> fields(NodeLockStatus view) {
        return Json.fields(
                "holder", view.holder(),
                "sharedHolders", view.shares(),
                "remainingMillis", view.timeLeft().toMillis(),
                "fence", view.fence().value(),
                "waiting", view.waiting(),
                "note", view.note());
    }
}
