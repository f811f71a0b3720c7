package io.holdfast.cli.output;

import io.holdfast.admin.LockStatus;
import io.holdfast.admin.WaitCycle;
import io.holdfast.console.json.Json;
import io.holdfast.jobs.LockRuns;
import io.holdfast.lease.ClientDescription;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.Reply;
import io.holdfast.node.ResourceName;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The status of locks as text and as JSON. */
public final class StatusText {

    /** The change of programs whose clients wait for each other. */
    public static final String CYCLE_REMEDY =
            "if this lasts longer than the work under these locks, acquire them at once, or in one order";

    private static final int MOST_WAITERS = 10;

    private StatusText() {}

    private static String describe(NodeLockStatus.Waiter waiter, LockStatus status) {
        return name(waiter.client(), status.clients().get(waiter.client()))
                + waiter.since().map(since -> ", since " + TimeText.of(since)).orElse("");
    }

    /** Describes a lock on several lines: a summary, the last run, the waiters, then the state of each node. */
    public static String detail(LockRuns runs) {
        LockStatus status = runs.lock();
        StringBuilder text = new StringBuilder(brief(runs));
        List<NodeLockStatus.Waiter> queue = status.queue();
        queue.stream()
                .limit(MOST_WAITERS)
                .forEach(waiter -> text.append("  waits: ")
                        .append(describe(waiter, status))
                        .append(System.lineSeparator()));
        if (queue.size() > MOST_WAITERS) {
            text.append("  waits: ")
                    .append(queue.size() - MOST_WAITERS)
                    .append(" more")
                    .append(System.lineSeparator());
        }
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

    /** Describes a lock on one line, and its last run on another one if one is known. */
    static String brief(LockRuns runs) {
        return line(runs.lock()) + System.lineSeparator() + HistoryText.last(runs);
    }

    /** Describes a lock on one line. */
    public static String line(LockStatus status) {
        String name = "'" + ResourceName.listed(status.resource()) + "'";
        return switch (LockState.of(status)) {
            case HELD -> name + status.held().map(view -> held(view, status)).orElse(" is held") + missing(status);
            case FREE -> name + " is free";
            case CONTESTED -> name + " is contended for: no client has a majority";
            case UNKNOWN -> "unknown whether " + name + " is held: " + unknown(status);
        };
    }

    private static String held(NodeLockStatus view, LockStatus status) {
        int waiting = status.queue().size();
        return verb(view, " is held", " was released and is retained") + holder(status) + "; " + remaining(view)
                + view.token().map(token -> ", fence " + token).orElse("")
                + (waiting > 0 ? ", " + waiting + " waiting" : "");
    }

    /** Returns the holder as a part of a sentence, such as {@code " by root@web3"}; empty if it is not known. */
    static String holder(LockStatus status) {
        int shares = status.held().map(NodeLockStatus::shares).orElse(0);
        String note = status.held().map(view -> view.note().text()).orElse("");
        String names = status.holders().stream()
                .map(client -> Terminal.printable(client.toString()))
                .distinct()
                .limit(MOST_WAITERS)
                .collect(Collectors.joining("; "));
        if (shares > 0) {
            return " by " + shares + (shares == 1 ? " shared holder" : " shared holders")
                    + (names.isEmpty() ? "" : " (" + names + ")");
        } else if (note.isEmpty()) {
            return names.isEmpty() ? "" : " by " + names;
        }
        return " by " + HolderNote.readable(note, Instant.now(), ZoneId.systemDefault());
    }

    /** Reports the servers that answer but do not have the lock of the majority. */
    private static String missing(LockStatus status) {
        String holder = status.held().map(NodeLockStatus::holder).orElse("");
        long without = count(status, view -> !view.holder().equals(holder));
        return without == 0
                ? ""
                : "; " + without + " of " + status.nodes().size() + (without == 1 ? " servers does" : " servers do")
                        + " not have it";
    }

    private static String unknown(LockStatus status) {
        long answering = count(status, view -> true);
        long having = count(status, NodeLockStatus::isHeld);
        return (status.isQuorum() ? "" : "only ") + answering + " of "
                + status.nodes().size() + (answering == 1 ? " servers answers" : " servers answer")
                + (having == 0 ? "" : ", and " + having + (having == 1 ? " has it" : " have it"));
    }

    private static long count(LockStatus status, Predicate<NodeLockStatus> condition) {
        return status.views().stream().filter(condition).count();
    }

    private static String describe(NodeLockStatus view) {
        return view.isHeld()
                ? verb(view, "held by ", "released and retained by ") + view.holder() + ", " + remaining(view)
                        + ", fences up to " + view.fence()
                : "free";
    }

    private static String verb(NodeLockStatus view, String held, String retained) {
        return view.retained() ? retained : held;
    }

    private static String remaining(NodeLockStatus view) {
        return view.timeLeft().equals(Reply.Refused.ENDLESS)
                ? "without a time limit, so not by Holdfast"
                : DurationText.measured(view.timeLeft()) + " left" + verb(view, " unless renewed", "");
    }

    /** Describes clients that wait for each other, such as {@code a, pid 1, waits for 'x' since …, b, pid 2, …}. */
    public static String cycle(WaitCycle cycle, List<LockStatus> locks) {
        Map<String, ClientDescription> clients = clients(locks);
        return cycle.steps().stream()
                .map(step -> name(step.client(), clients.get(step.client())) + " waits for '"
                        + ResourceName.listed(step.waitsFor()) + "' since " + TimeText.of(step.since()))
                .collect(Collectors.joining(", "));
    }

    /** Returns the waits of a cycle as objects. */
    public static List<Object> fields(WaitCycle cycle, List<LockStatus> locks) {
        Map<String, ClientDescription> clients = clients(locks);
        List<Object> steps = new ArrayList<>();
        for (WaitCycle.Step step : cycle.steps()) {
            ClientDescription client = clients.get(step.client());
            Map<String, Object> fields = client == null ? Json.fields("name", Json.NULL) : fields(client);
            fields.put("waitsFor", step.waitsFor());
            fields.put("waitsSince", step.since().toString());
            steps.add(fields);
        }
        return steps;
    }

    private static Map<String, ClientDescription> clients(List<LockStatus> locks) {
        Map<String, ClientDescription> clients = new HashMap<>();
        locks.forEach(lock -> clients.putAll(lock.clients()));
        return clients;
    }

    private static String name(String id, @Nullable ClientDescription client) {
        return Terminal.printable(client == null ? "client " + id : client.toString());
    }

    /** Returns a lock as an object; {@code held} is null if it is unknown whether the lock is held. */
    public static String json(LockStatus status) {
        return Json.object(fields(status, Map.of()));
    }

    /** Returns a lock and its last run as an object. */
    public static String json(LockRuns runs) {
        return Json.object(fields(runs.lock(), Map.of("lastRun", HistoryText.lastFields(runs))));
    }

    private static Map<String, Object> fields(LockStatus status, Map<String, Object> more) {
        LockState state = LockState.of(status);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("resource", status.resource());
        fields.put("held", state == LockState.UNKNOWN ? Json.NULL : state == LockState.HELD);
        fields.put("disputed", status.isDisputed());
        status.held().ifPresent(view -> fields.putAll(fields(view)));
        fields.put("quorum", status.isQuorum());
        fields.put("clients", status.holders().stream().map(StatusText::fields).toList());
        fields.put(
                "queue",
                status.queue().stream().map(waiter -> fields(waiter, status)).toList());
        fields.put("waiting", status.queue().size());
        fields.putAll(more);
        fields.put("nodes", status.nodes().stream().map(StatusText::fields).toList());
        return fields;
    }

    private static Map<String, Object> fields(ClientDescription client) {
        return Json.fields(
                "name",
                client.name(),
                "pid",
                client.pid(),
                "connectedSince",
                client.since().toString());
    }

    private static Map<String, Object> fields(NodeLockStatus.Waiter waiter, LockStatus status) {
        ClientDescription client = status.clients().get(waiter.client());
        Map<String, Object> fields = client == null ? Json.fields("name", Json.NULL) : fields(client);
        fields.put("waitsSince", waiter.since().<Object>map(Instant::toString).orElse(Json.NULL));
        return fields;
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
                "fence", view.token().<Object>map(token -> token.value()).orElse(Json.NULL),
                "fenceBound", view.fence().value(),
                "waiting", view.queue().size(),
                "note", view.note().text(),
                "retained", view.retained());
    }
}
