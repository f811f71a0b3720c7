package io.holdfast.console;

import io.holdfast.console.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** States of the console for tests of its page. Times are relative to {@link #NOW}, which the page takes from them. */
public final class Samples {

    /** The time of all states, in milliseconds since 1970. */
    public static final long NOW = 1_795_670_000_000L;

    private static final long LEASE = 30_000;
    private static final long DAY = 86_400_000;

    private Samples() {}

    /** Returns a state with these locks, three nodes that vote, and neither jobs nor cycles. */
    public static Map<String, Object> overview(List<Map<String, Object>> locks) {
        Map<String, Object> state = new LinkedHashMap<>(Json.fields(
                "version",
                1,
                "time",
                NOW,
                "mayBreak",
                true,
                "mayAdmit",
                true,
                "demo",
                false,
                "source",
                Json.fields("name", "holdfast console@host", "nodes", 3, "majority", 2),
                "nodes",
                List.of(node(7001), node(7002), node(7003)),
                "spareVotes",
                1,
                "locks",
                locks,
                "jobs",
                List.of(),
                "cycles",
                List.of()));
        state.put(
                "reading",
                Json.fields("complete", true, "keys", locks.size(), "detail", "", "locks", locks.size(), "left", 0));
        return state;
    }

    /** Returns a state in which every view shows something: waits, a cycle, a quarantine, jobs in all states. */
    public static Map<String, Object> full() {
        Map<String, Object> state = overview(List.of(
                lock("order:42", client("orders@pod-1", 1), client("orders@pod-2", 2), client("mail@pod-1", 3)),
                lock("a", client("a@pod-1", 11), client("c@pod-1", 13)),
                lock("b", client("b@pod-1", 12), client("a@pod-1", 11)),
                lock("c", client("c@pod-1", 13), client("b@pod-1", 12)),
                lock("report", client("cron@host", 5))));
        state.put(
                "cycles",
                List.of(List.of(step("a@pod-1", 11, "b"), step("b@pod-1", 12, "c"), step("c@pod-1", 13, "a"))));
        state.put(
                "jobs",
                List.of(
                        job("report", "succeeded", false),
                        job("backup", "failed", false),
                        job("sync", "succeeded", true)));
        Map<String, Object> quarantined = node(7003);
        quarantined.putAll(
                Json.fields("state", "quarantined", "cause", "restarted without data", "quarantineEnds", NOW + 90_000));
        state.put("nodes", List.of(node(7001), node(7002), quarantined));
        state.put("spareVotes", 0);
        return state;
    }

    /** Returns this many held locks, each with a waiter. */
    public static List<Map<String, Object>> locks(int count) {
        return IntStream.range(0, count)
                .mapToObj(i ->
                        lock(String.format("lock-%05d", i), client("a@pod-" + i, i), client("b@pod-" + i, i + count)))
                .toList();
    }

    /** Returns a lock that this client holds, and for which the others wait. */
    public static Map<String, Object> lock(String name, Map<String, Object> holder, Map<?, ?>... queue) {
        return new LinkedHashMap<>(Json.fields(
                "name",
                name,
                "state",
                "held",
                "holder",
                "f9693bf11dbf",
                "clients",
                List.of(holder),
                "token",
                "1795670000123456",
                "freeAt",
                NOW + LEASE - 2_000,
                "leaseMillis",
                LEASE,
                "note",
                "",
                "heldSince",
                NOW - 10_000,
                "queue",
                List.of(queue)));
    }

    /** Returns a client that holds or waits since four seconds. */
    public static Map<String, Object> client(String name, int number) {
        return Json.fields("id", "k" + number, "name", name, "pid", 100 + number, "since", NOW - 4_000);
    }

    /** Returns a node that votes. */
    public static Map<String, Object> node(int port) {
        return new LinkedHashMap<>(
                Json.fields("name", "redis://127.0.0.1:" + port, "state", "votes", "cause", "", "latencyMillis", 0.4));
    }

    static Map<String, Object> step(String client, int number, String lock) {
        return Json.fields("client", "k" + number, "name", client, "waitsFor", lock);
    }

    /** Returns a daily job with four runs, of which the last one ended like this. */
    public static Map<String, Object> job(String name, String last, boolean overdue) {
        List<Object> runs = new ArrayList<>();
        for (int day = 4; day > 0; day--) {
            long start = NOW - day * DAY - (overdue ? 2 * DAY : 0);
            String status = day == 1 ? last : "succeeded";
            runs.add(Json.fields(
                    "start",
                    start,
                    "end",
                    start + 60_000,
                    "status",
                    status,
                    "text",
                    status.equals("failed") ? "3" : "0",
                    "runner",
                    "ops@host, pid 1 (" + name + ")"));
        }
        return new LinkedHashMap<>(Json.fields(
                "name",
                name,
                "overdue",
                overdue,
                "failed",
                last.equals("failed"),
                "running",
                false,
                "complete",
                true,
                "lastSuccess",
                NOW - DAY,
                "nextDue",
                overdue ? NOW - 2 * DAY : NOW + DAY,
                "expectEveryMillis",
                DAY,
                "runs",
                runs));
    }

    /** Returns what {@code api/lock} answers: the row, the votes, and a hold that was lost before. */
    static Map<String, Object> detail(String name, Map<String, Object> overview) {
        Map<String, Object> detail = new LinkedHashMap<>();
        for (Object lock : (List<?>) Objects.requireNonNull(overview.get("locks"))) {
            if (lock instanceof Map<?, ?> row && name.equals(row.get("name"))) {
                row.forEach((key, value) -> detail.put(key.toString(), value));
            }
        }
        detail.put("votes", List.of(Json.fields("node", "redis://127.0.0.1:7001", "text", "held by " + name)));
        detail.put(
                "history",
                List.of(
                        Json.fields(
                                "client",
                                "old@pod-9",
                                "id",
                                "k9",
                                "token",
                                "17",
                                "from",
                                NOW - 60_000,
                                "to",
                                NOW - 40_000,
                                "end",
                                "taken over"),
                        Json.fields(
                                "client",
                                name,
                                "id",
                                "k8",
                                "token",
                                "18",
                                "from",
                                NOW - 40_000,
                                "to",
                                NOW - 10_000,
                                "end",
                                "released")));
        return detail;
    }
}
