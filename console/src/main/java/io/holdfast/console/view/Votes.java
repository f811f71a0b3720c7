package io.holdfast.console.view;

import io.holdfast.console.json.Json;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.time.Durations;
import java.util.Map;

/** The states of one lock on each node, in words. */
final class Votes {

    private Votes() {}

    static Map<String, Object> fields(NodeAnswer<NodeLockStatus> node) {
        return Json.fields("node", node.node(), "text", text(node));
    }

    private static String text(NodeAnswer<NodeLockStatus> node) {
        NodeLockStatus view = node.value();
        if (view == null) {
            return node.error();
        } else if (!view.isHeld()) {
            return view.queue().isEmpty() ? "free" : "free, " + view.queue().size() + " wait";
        }
        String holder = view.shares() > 0 ? view.shares() + " shared holders" : view.holder();
        return (view.retained() ? "released by " : "held by ") + holder
                + (view.retained() ? ", retained for " : " for ")
                + Durations.toWholeSeconds(view.timeLeft()) + " s"
                + (view.queue().isEmpty() ? "" : ", " + view.queue().size() + " wait");
    }
}
