package io.holdfast.benchmarks;

import io.holdfast.benchmarks.Throughput.Load;
import io.holdfast.benchmarks.contestant.Floor;
import io.holdfast.benchmarks.contestant.Library;
import io.holdfast.benchmarks.figures.Tables;
import io.holdfast.benchmarks.server.Deployment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One thread that acquires and releases a free lock. Measures the acquire, and what this process and a node spend on a
 * cycle: an acquire and a release. The contestants have turns.
 */
final class Uncontended {

    private static final String RESOURCE = "benchmark";
    private static final Load LOAD = new Load(1, thread -> RESOURCE);
    private static final Duration TURN = Duration.ofMillis(100);
    private static final int ROUNDS = 12;

    /**
     * Warm-up rounds, 10 s for each contestant, after which the compiler is done. After 4 s, the ratios of those that
     * have most code are still different.
     */
    private static final int WARM_UPS = 100;

    /** Warm-up rounds after the number of nodes has changed, which changes little for the compiler. */
    private static final int MORE_WARM_UPS = 10;

    private Uncontended() {}

    /** Measures on a machine that does nothing else, and prints a table. */
    static void quiet() throws Exception {
        head();
        for (int nodes : new int[] {1, 3, 5}) {
            compare(nodes);
        }
    }

    /** Measures beside other work on each processor, and prints a table. */
    static void busy() throws Exception {
        head();
        for (int nodes : new int[] {1, 3, 5}) {
            BusyLoops loops = new BusyLoops();
            try {
                compare(nodes);
            } finally {
                loops.close();
            }
        }
    }

    private static void head() {
        Tables.head(
                "N",
                "library",
                "on disk",
                "median",
                "99 %",
                "longest",
                "ratio to the floor",
                "ratio to raw Lettuce",
                "99 %, ratio to raw Lettuce",
                "allocated per cycle",
                "CPU of the client per cycle",
                "waits of its threads per cycle",
                "CPU of a node per cycle",
                "time in scripts per cycle",
                "commands per cycle",
                "bytes per cycle and node");
    }

    private static void compare(int nodes) throws Exception {
        List<Library> libraries = Library.on(nodes);
        try (Deployment deployment = Deployment.start(Library.kinds(libraries), nodes)) {
            List<Entry> entries = new ArrayList<>();
            entries.add(Entry.of("floor", new Floor(Entry.addresses(deployment), RESOURCE), deployment));
            entries.add(Entry.ofLettuce(deployment));
            libraries.forEach(library -> entries.add(Entry.of(library, deployment)));
            Entry.compare(entries, LOAD, TURN, nodes == 1 ? WARM_UPS : MORE_WARM_UPS, ROUNDS);
            entries.forEach(entry -> print(nodes, entry, entries.get(0), entries.get(1)));
            entries.forEach(entry -> entry.contestant().close());
        }
    }

    private static void print(int nodes, Entry entry, Entry floor, Entry lettuce) {
        List<String> cells = new ArrayList<>(List.of(Integer.toString(nodes), entry.name(), entry.durability()));
        cells.addAll(Tables.latency("%.0f µs", entry.latencies().times(1_000)));
        cells.add(ratio(entry, floor, 0.5));
        cells.add(ratio(entry, lettuce, 0.5));
        cells.add(ratio(entry, lettuce, 0.99));
        cells.add(Tables.number("%.0f B", entry.median(cycles -> cycles.client().allocatedBytes())));
        cells.add(
                Tables.number("%.1f µs", entry.median(cycles -> cycles.client().cpuMicros())));
        cells.add(Tables.number("%.2f", entry.median(cycles -> cycles.client().waits())));
        cells.add(entry.ofNode("%.1f µs", Cycles::nodeMicros));
        cells.add(entry.ofNode("%.1f µs", Cycles::scriptMicros));
        cells.add(entry.ofNode("%.1f", Cycles::commands));
        cells.add(entry.ofNode("%.0f", Cycles::bytes));
        Tables.row(cells);
    }

    private static String ratio(Entry entry, Entry other, double share) {
        return Tables.number(
                "%.2f", entry.latencies().at(share) / other.latencies().at(share));
    }
}
