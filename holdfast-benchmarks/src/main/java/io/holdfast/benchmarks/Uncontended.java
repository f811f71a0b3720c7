package io.holdfast.benchmarks;

import io.holdfast.servers.RedisServers;
import java.util.ArrayList;
import java.util.List;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** One thread that acquires and releases a free lock; measures the acquire. */
final class Uncontended {

    private static final String RESOURCE = "benchmark";
    private static final int CYCLES = 500;
    /**
     * Warm-up rounds: 20,000 cycles, after which the compiler is done. After 1,000 cycles the ratios are still
     * different.
     */
    private static final int WARM_UPS = 40;

    private Uncontended() {}

    /** Runs the contestants in turns, for the given number of rounds each, and prints a table. */
    static void run(int rounds, Chart chart) throws Exception {
        System.out.println("| N | library | median | 99 % | ratio to the floor | ratio to raw Lettuce |");
        System.out.println("|---|---|---|---|---|---|");
        for (int nodes : new int[] {1, 3, 5}) {
            try (RedisServers servers = RedisServers.start(nodes)) {
                List<String> uris = servers.addresses();
                List<Contestant> contestants = contestants(uris);
                print(nodes, contestants, measure(contestants, rounds), chart);
                contestants.forEach(Contestant::close);
            }
        }
    }

    private static List<Contestant> contestants(List<String> uris) {
        List<Contestant> contestants = new ArrayList<>(List.of(
                new Floor(uris, RESOURCE), new RawLettuce(uris), new HoldfastLocks(uris), new RedissonLocks(uris)));
        if (uris.size() == 1) {
            contestants.add(new SpringLocks(uris.get(0), RedisLockType.PUB_SUB_LOCK));
            contestants.add(new SpringLocks(uris.get(0), RedisLockType.SPIN_LOCK));
        }
        return contestants;
    }

    /** Returns the durations of each contestant in µs. */
    private static double[][] measure(List<Contestant> contestants, int rounds) throws Exception {
        double[][] micros = new double[contestants.size()][rounds * CYCLES];
        for (int round = -WARM_UPS; round < rounds; round++) {
            for (int index = 0; index < micros.length; index++) {
                Contestant contestant = contestants.get(index);
                for (int i = 0; i < CYCLES; i++) {
                    long begun = System.nanoTime();
                    Runnable release = contestant.acquire(RESOURCE);
                    long ended = System.nanoTime();
                    release.run();
                    if (round >= 0) {
                        micros[index][round * CYCLES + i] = (ended - begun) / 1_000.0;
                    }
                }
            }
        }
        return micros;
    }

    private static void print(int nodes, List<Contestant> contestants, double[][] micros, Chart chart) {
        double floor = Figures.median(micros[0]);
        double lettuce = Figures.median(micros[1]);
        for (int index = 0; index < micros.length; index++) {
            double median = Figures.median(micros[index]);
            chart.add(
                    "Taking a free lock, N = " + nodes + ", median",
                    contestants.get(index).name(),
                    median,
                    "µs");
            System.out.printf(
                    "| %d | %s | %.0f µs | %.0f µs | %.2f | %.2f |%n",
                    nodes,
                    contestants.get(index).name(),
                    median,
                    Figures.percentile(micros[index], 0.99),
                    median / floor,
                    median / lettuce);
        }
    }
}
