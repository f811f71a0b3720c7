package io.holdfast.benchmarks.figures;

import java.util.List;

/**
 * A way to draw the table of a scenario.
 *
 * @param scenario the scenario, and the name of the file
 * @param title the title of the chart, which names what the bars show
 * @param group the columns whose values make a group of bars
 * @param label the columns whose values name a bar
 * @param bar the column of the bar's length
 * @param whiskers the columns of the marks beyond the end of a bar: none, or the 99th percentile and the longest
 */
public record ChartKind(
        String scenario, String title, List<String> group, List<String> label, String bar, List<String> whiskers) {

    private static final List<String> NODES = List.of("N");
    private static final List<String> LIBRARY = List.of("library", "on disk");
    private static final List<String> HAND_OVER = List.of("hand-over, 99 %", "hand-over, longest");

    /** The charts of the page. */
    static final List<ChartKind> ALL = List.of(
            new ChartKind(
                    "uncontended",
                    "Acquire a free lock, one thread",
                    NODES,
                    LIBRARY,
                    "median",
                    List.of("99 %", "longest")),
            new ChartKind(
                    "distinct", "64 threads, a lock each: cycles per second", NODES, LIBRARY, "cycles/s", List.of()),
            new ChartKind(
                    "contended",
                    "16 threads of one process, one lock: cycles per second",
                    NODES,
                    LIBRARY,
                    "cycles/s",
                    List.of()),
            new ChartKind(
                    "handover",
                    "Three processes on one lock, held for 0.2 ms: holds per second",
                    NODES,
                    List.of("library", "on disk", "threads"),
                    "holds/s",
                    List.of()),
            new ChartKind(
                    "handover-asleep",
                    "Three processes on one lock, held for 5 ms: hand-over to another process",
                    NODES,
                    LIBRARY,
                    "hand-over, median",
                    HAND_OVER),
            new ChartKind(
                    "handover-distant",
                    "The same with servers 2 ms away: hand-over to another process",
                    NODES,
                    LIBRARY,
                    "hand-over, median",
                    HAND_OVER),
            new ChartKind(
                    "idle-waits",
                    "1,000 waits for a lock each: scripts per second and wait on a node",
                    NODES,
                    List.of("library"),
                    "scripts/s per wait and node",
                    List.of()),
            new ChartKind(
                    "waiters",
                    "10,000 waits that expire together: how late they end",
                    NODES,
                    List.of("waiters", "round"),
                    "late, median",
                    List.of("late, 99 %", "late, longest")),
            new ChartKind("heap", "Heap for each of 100,000 leases", List.of(), NODES, "heap for each", List.of()));
}
