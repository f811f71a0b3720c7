package io.holdfast.benchmarks;

import io.holdfast.benchmarks.contestant.Contestant;
import io.holdfast.benchmarks.contestant.Library;
import io.holdfast.benchmarks.contestant.RawLettuce;
import io.holdfast.benchmarks.figures.Figures;
import io.holdfast.benchmarks.figures.Spread;
import io.holdfast.benchmarks.figures.Tables;
import io.holdfast.benchmarks.server.Deployment;
import io.holdfast.benchmarks.server.RedisLockServers;
import io.holdfast.benchmarks.server.ServerKind;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Threads of one process that acquire and release locks as fast as they can. Counts the cycles per second, and what a
 * node spends on each. The contestants have turns.
 */
final class Throughput {

    private static final int ROUNDS = 3;
    private static final int WARM_UPS = 2;
    private static final int MANY = 64;

    private static final Load SINGLE = new Load(1, thread -> "single");
    private static final Load DISTINCT = new Load(MANY, thread -> "lock-" + thread);
    private static final Load CONTENDED = new Load(16, thread -> "contended");

    /** The number of threads, and the lock of each. */
    record Load(int threads, IntFunction<String> resources) {}

    /** A contestant, and its rounds; it has no statistics of a node unless that is Redis. */
    private record Entry(
            String name,
            String durability,
            Contestant contestant,
            @Nullable RedisLockServers redis,
            List<Cycles> rounds) {

        private double median(ToDoubleFunction<Cycles> figure) {
            return Figures.median(rounds.stream().mapToDouble(figure).toArray());
        }

        private Spread latencies() {
            return Spread.of(rounds.stream().flatMapToDouble(round -> round.acquireMillis().stream()));
        }
    }

    private Throughput() {}

    /** Runs 64 threads, each with its own lock. */
    static void distinct() throws Exception {
        head();
        for (int nodes : new int[] {1, 5}) {
            compare(nodes, Library.withoutWaits(nodes), true, List.of(DISTINCT));
        }
    }

    /** Runs 16 threads on one lock. */
    static void contended() throws Exception {
        head();
        compare(5, Library.on(5), false, List.of(CONTENDED));
    }

    /** Runs one thread, and 64 threads that each have a lock, on one node, to see what that spends. */
    static void nodeCpu() throws Exception {
        head();
        compare(1, Library.withoutWaits(1), true, List.of(SINGLE, DISTINCT));
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

    private static void compare(int nodes, List<Library> libraries, boolean withLettuce, List<Load> loads)
            throws Exception {
        try (Deployment deployment = Deployment.start(Library.kinds(libraries), nodes)) {
            for (Load load : loads) {
                List<Entry> entries = entries(deployment, libraries, withLettuce);
                for (int round = -WARM_UPS; round < ROUNDS; round++) {
                    for (Entry entry : entries) {
                        Cycles cycles = Cycles.measure(entry.contestant(), load, entry.redis());
                        if (round >= 0) {
                            entry.rounds().add(cycles);
                        }
                    }
                }
                print(nodes, load, entries);
                entries.forEach(entry -> entry.contestant().close());
            }
        }
    }

    private static List<Entry> entries(Deployment deployment, List<Library> libraries, boolean withLettuce) {
        List<Entry> entries = new ArrayList<>();
        if (withLettuce) {
            List<String> uris = deployment.of(ServerKind.REDIS).uris().stream()
                    .map(URI::toString)
                    .toList();
            entries.add(new Entry(
                    "raw Lettuce",
                    Library.HOLDFAST.durability(),
                    new RawLettuce(uris),
                    deployment.redis(ServerKind.REDIS),
                    new ArrayList<>()));
        }
        for (Library library : libraries) {
            entries.add(new Entry(
                    library.title(),
                    library.durability(),
                    library.connect(deployment),
                    deployment.redis(library.kind()),
                    new ArrayList<>()));
        }
        return entries;
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
            cells.addAll(
                    entry.redis() == null
                            ? List.of(Tables.NONE, Tables.NONE, Tables.NONE, Tables.NONE)
                            : List.of(
                                    Tables.number("%.1f µs", entry.median(Cycles::nodeMicros)),
                                    Tables.number("%.1f µs", entry.median(Cycles::scriptMicros)),
                                    Tables.number("%.2f", entry.median(Cycles::scripts)),
                                    Tables.number("%.1f", entry.median(Cycles::commands))));
            Tables.row(cells);
        }
    }
}
