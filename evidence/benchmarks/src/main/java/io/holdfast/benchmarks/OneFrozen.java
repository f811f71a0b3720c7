package io.holdfast.benchmarks;

import io.holdfast.benchmarks.contestant.Contestant;
import io.holdfast.benchmarks.contestant.Library;
import io.holdfast.benchmarks.figures.Sample;
import io.holdfast.servers.RedisServers;
import java.util.List;

/**
 * One of five nodes is frozen with open connections: the time to acquire a free lock, compared with five healthy nodes.
 */
final class OneFrozen {

    private static final int NODES = 5;
    private static final int CYCLES = 500;
    /** The time limit of a series, for libraries that wait for the frozen node each time. */
    private static final long LIMIT_NANOS = 10_000_000_000L;

    private static final String RESOURCE = "benchmark";

    private OneFrozen() {}

    /** Measures healthy and frozen nodes in turns and prints a table. */
    static void run(int rounds) throws Exception {
        System.out.println(
                "| library | all healthy, median | one frozen, median | ratio | one frozen, 99 % | longest | failures |");
        System.out.println("|---|---|---|---|---|---|---|");
        for (Library library : Library.onRedis(NODES)) {
            try (RedisServers servers = RedisServers.start(NODES)) {
                List<String> uris = servers.addresses();
                try (Contestant contestant = library.connect(uris)) {
                    measure(contestant, servers, rounds);
                }
            }
        }
    }

    private static void measure(Contestant contestant, RedisServers servers, int rounds) {
        Sample healthy = new Sample(rounds * CYCLES);
        Sample frozen = new Sample(rounds * CYCLES);
        Sample warmUp = new Sample(2 * CYCLES);
        cycle(contestant, warmUp, 2 * CYCLES);
        for (int round = 0; round < rounds; round++) {
            cycle(contestant, healthy, CYCLES);
            servers.get(NODES - 1).freeze();
            cycle(contestant, frozen, CYCLES);
            servers.get(NODES - 1).thaw();
            // The commands in the server's buffers must not affect the next series.
            servers.get(NODES - 1).exec("PING");
        }
        System.out.printf(
                "| %s | %.0f µs | %.0f µs | %.2f | %.0f µs | %.0f µs | %d |%n",
                contestant.name(),
                healthy.median(),
                frozen.median(),
                frozen.median() / healthy.median(),
                frozen.percentile(0.99),
                frozen.percentile(1),
                frozen.failures());
    }

    private static void cycle(Contestant contestant, Sample sample, int cycles) {
        long end = System.nanoTime() + LIMIT_NANOS;
        for (int i = 0; i < cycles && System.nanoTime() < end; i++) {
            long begun = System.nanoTime();
            try {
                Runnable release = contestant.acquire(RESOURCE);
                sample.add(System.nanoTime() - begun);
                release.run();
            } catch (Exception e) {
                sample.failed();
            }
        }
    }
}
