package io.holdfast.benchmarks;

import io.holdfast.servers.RedisServers;
import java.util.List;

/** One of five nodes hangs, with its connections open: how long taking a free lock then takes, beside all five being well. */
final class OneFrozen {

    private static final int NODES = 5;
    private static final int CYCLES = 500;
    /** Who waits for the frozen node each time does fewer cycles. */
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private static final String RESOURCE = "benchmark";

    private OneFrozen() {}

    /** Well and frozen take turns; prints a table. */
    static void run(int rounds) throws Exception {
        System.out.println("| who | all well, median | one frozen, median | ratio | one frozen, 99 % | failures |");
        System.out.println("|---|---|---|---|---|---|");
        for (String who : Contestants.of(NODES)) {
            try (RedisServers servers = RedisServers.start(NODES)) {
                List<String> uris = servers.addresses();
                try (Contestant contestant = Contestants.connect(who, uris)) {
                    measure(contestant, servers, rounds);
                }
            }
        }
    }

    private static void measure(Contestant contestant, RedisServers servers, int rounds) {
        Sample well = new Sample(rounds * CYCLES);
        Sample frozen = new Sample(rounds * CYCLES);
        Sample warmUp = new Sample(2 * CYCLES);
        cycle(contestant, warmUp, 2 * CYCLES);
        for (int round = 0; round < rounds; round++) {
            cycle(contestant, well, CYCLES);
            servers.get(NODES - 1).freeze();
            cycle(contestant, frozen, CYCLES);
            servers.get(NODES - 1).thaw();
            // What waited in its buffers is not part of the next figure.
            servers.get(NODES - 1).exec("PING");
        }
        System.out.printf(
                "| %s | %.0f µs | %.0f µs | %.2f | %.0f µs | %d |%n",
                contestant.name(),
                well.median(),
                frozen.median(),
                frozen.median() / well.median(),
                frozen.percentile(0.99),
                frozen.failures());
    }

    private static void cycle(Contestant contestant, Sample sample, int cycles) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        for (int i = 0; i < cycles && System.nanoTime() < end; i++) {
            long begun = System.nanoTime();
            try {
                Runnable release = contestant.take(RESOURCE);
                sample.add(System.nanoTime() - begun);
                release.run();
            } catch (Exception e) {
                sample.failed();
            }
        }
    }
}
