package io.holdfast.benchmarks;

import io.holdfast.benchmarks.contestant.Contestant;
import io.holdfast.benchmarks.contestant.Floor;
import io.holdfast.benchmarks.contestant.Library;
import io.holdfast.benchmarks.contestant.RawLettuce;
import io.holdfast.benchmarks.figures.Spread;
import io.holdfast.benchmarks.figures.Tables;
import io.holdfast.benchmarks.server.Deployment;
import io.holdfast.benchmarks.server.ServerKind;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** One thread that acquires and releases a free lock; measures the acquire. The contestants have turns. */
final class Uncontended {

    private static final String RESOURCE = "benchmark";
    private static final int ROUNDS = 10;

    /** A turn has so many cycles, unless they take longer than {@link #TURN_NANOS}. */
    private static final int CYCLES = 500;

    private static final long TURN_NANOS = 100_000_000;

    /**
     * Warm-up rounds: 20,000 cycles, after which the compiler is done. After 1,000 cycles the ratios are still
     * different.
     */
    private static final int WARM_UPS = 40;

    /** Warm-up rounds after the number of nodes has changed, which changes little for the compiler. */
    private static final int MORE_WARM_UPS = 10;

    /** A contestant with the times of its acquires in µs. */
    private record Entry(String name, String durability, Contestant contestant, List<Double> micros) {

        private Entry(String name, String durability, Contestant contestant) {
            this(name, durability, contestant, new ArrayList<>());
        }

        private Spread sample() {
            return Spread.of(micros.stream().mapToDouble(each -> each));
        }
    }

    private Uncontended() {}

    /** Runs the contestants in turns and prints a table. */
    static void run() throws Exception {
        Tables.head(
                "N", "library", "on disk", "median", "99 %", "longest", "ratio to the floor", "ratio to raw Lettuce");
        for (int nodes : new int[] {1, 3, 5}) {
            List<Library> libraries = Library.on(nodes);
            try (Deployment deployment = Deployment.start(Library.kinds(libraries), nodes)) {
                List<Entry> entries = entries(libraries, deployment);
                for (int round = nodes == 1 ? -WARM_UPS : -MORE_WARM_UPS; round < ROUNDS; round++) {
                    for (Entry entry : entries) {
                        turn(entry, round >= 0);
                    }
                }
                print(nodes, entries);
                entries.forEach(entry -> entry.contestant().close());
            }
        }
    }

    private static List<Entry> entries(List<Library> libraries, Deployment deployment) {
        List<String> redis = deployment.of(ServerKind.REDIS).uris().stream()
                .map(URI::toString)
                .toList();
        String none = Library.HOLDFAST.durability();
        List<Entry> entries = new ArrayList<>();
        entries.add(new Entry("floor", none, new Floor(redis, RESOURCE)));
        entries.add(new Entry("raw Lettuce", none, new RawLettuce(redis)));
        for (Library library : libraries) {
            entries.add(new Entry(library.title(), library.durability(), library.connect(deployment)));
        }
        return entries;
    }

    private static void turn(Entry entry, boolean counts) throws Exception {
        long end = System.nanoTime() + TURN_NANOS;
        for (int i = 0; i < CYCLES && System.nanoTime() < end; i++) {
            long begun = System.nanoTime();
            Runnable release = entry.contestant().acquire(RESOURCE);
            long ended = System.nanoTime();
            release.run();
            if (counts) {
                entry.micros().add((ended - begun) / 1_000.0);
            }
        }
    }

    private static void print(int nodes, List<Entry> entries) {
        double floor = entries.get(0).sample().median();
        double lettuce = entries.get(1).sample().median();
        for (Entry entry : entries) {
            double median = entry.sample().median();
            List<String> cells = new ArrayList<>(List.of(Integer.toString(nodes), entry.name(), entry.durability()));
            cells.addAll(Tables.latency("%.0f µs", entry.sample()));
            cells.add(Tables.number("%.2f", median / floor));
            cells.add(Tables.number("%.2f", median / lettuce));
            Tables.row(cells);
        }
    }
}
