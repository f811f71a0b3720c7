package io.holdfast.benchmarks;

import io.holdfast.benchmarks.contestant.Library;
import io.holdfast.benchmarks.figures.Tables;
import io.holdfast.benchmarks.server.Deployment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Threads of one process that acquire and release locks as fast as they can. Counts the cycles per second, and what a
 * node spends on each. The contestants have turns.
 */
final class Throughput {

    private static final int ROUNDS = 3;
    private static final int WARM_UPS = 2;
    private static final Duration TURN = Duration.ofMillis(1_200);
    private static final int MANY = 64;

    private static final Load DISTINCT = new Load(MANY, thread -> "lock-" + thread);
    private static final Load CONTENDED = new Load(16, thread -> "contended");

    /** The number of threads, and the lock of each. */
    record Load(int threads, IntFunction<String> resources) {}

    private Throughput() {}

    /** Runs 64 threads, each with its own lock. */
    static void distinct() throws Exception {
        head();
        for (int nodes : new int[] {1, 5}) {
            compare(nodes, Library.withoutWaits(nodes), true, DISTINCT);
        }
    }

    /** Runs 16 threads on one lock. */
    static void contended() throws Exception {
        head();
        compare(5, Library.on(5), false, CONTENDED);
    }

    private static void head() {
        Tables.head(
                "N",
                "threads",
                "library",
                "on disk",
                "cycles/s",
                "acquire, median",
                "acquire, 99 %",
                "acquire, longest",
                "ratio of Holdfast to this",
                "CPU of a node per cycle",
                "time in scripts per cycle",
                "scripts per cycle",
                "commands per cycle");
    }

    private static void compare(int nodes, List<Library> libraries, boolean withLettuce, Load load) throws Exception {
        try (Deployment deployment = Deployment.start(Library.kinds(libraries), nodes)) {
            List<Entry> entries = new ArrayList<>();
            if (withLettuce) {
                entries.add(Entry.ofLettuce(deployment));
            }
            libraries.forEach(library -> entries.add(Entry.of(library, deployment)));
            Entry.compare(entries, load, TURN, WARM_UPS, ROUNDS);
            print(nodes, load, entries);
            entries.forEach(entry -> entry.contestant().close());
        }
    }

    private static void print(int nodes, Load load, List<Entry> entries) {
        double holdfast = entries.stream()
                .filter(entry -> entry.name().equals(Library.HOLDFAST.title())
                        && entry.durability().equals(Library.HOLDFAST.durability()))
                .mapToDouble(entry -> entry.median(Cycles::perSecond))
                .sum();
        for (Entry entry : entries) {
            List<String> cells = new ArrayList<>(List.of(
                    Integer.toString(nodes),
                    Integer.toString(load.threads()),
                    entry.name(),
                    entry.durability(),
                    Tables.number("%.0f", entry.median(Cycles::perSecond))));
            cells.addAll(Tables.latency("%.2f ms", entry.latencies()));
            cells.add(Tables.number("%.2f", holdfast / entry.median(Cycles::perSecond)));
            cells.add(entry.ofNode("%.1f µs", Cycles::nodeMicros));
            cells.add(entry.ofNode("%.1f µs", Cycles::scriptMicros));
            cells.add(entry.ofNode("%.2f", Cycles::scripts));
            cells.add(entry.ofNode("%.1f", Cycles::commands));
            Tables.row(cells);
        }
    }
}
