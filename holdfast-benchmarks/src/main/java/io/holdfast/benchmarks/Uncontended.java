package io.holdfast.benchmarks;

import io.holdfast.servers.RedisServers;
import java.util.ArrayList;
import java.util.List;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;

/** One thread takes a free lock and gives it back; how long the taking takes. */
final class Uncontended {

    private static final String RESOURCE = "benchmark";
    private static final int CYCLES = 500;
    /** Rounds that do not count: 20,000 cycles, until the compiler has nothing more to do. After 1,000 the ratios are others. */
    private static final int WARM_UPS = 40;

    private Uncontended() {}

    /** The contestants take turns, so many rounds each; prints a table. */
    static void run(int rounds, Chart chart) throws Exception {
        System.out.println("| N | who | median | 99 % | ratio to the floor | ratio to raw Lettuce |");
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

    /** What each of them took, in µs. */
    private static double[][] measure(List<Contestant> contestants, int rounds) throws Exception {
        double[][] taken = new double[contestants.size()][rounds * CYCLES];
        for (int round = -WARM_UPS; round < rounds; round++) {
            for (int who = 0; who < taken.length; who++) {
                Contestant contestant = contestants.get(who);
                for (int i = 0; i < CYCLES; i++) {
                    long begun = System.nanoTime();
                    Runnable release = contestant.take(RESOURCE);
                    long ended = System.nanoTime();
                    release.run();
                    if (round >= 0) {
                        taken[who][round * CYCLES + i] = (ended - begun) / 1_000.0;
                    }
                }
            }
        }
        return taken;
    }

    private static void print(int nodes, List<Contestant> contestants, double[][] taken, Chart chart) {
        double floor = Figures.median(taken[0]);
        double lettuce = Figures.median(taken[1]);
        for (int who = 0; who < taken.length; who++) {
            double median = Figures.median(taken[who]);
            chart.add(
                    "Taking a free lock, N = " + nodes + ", median",
                    contestants.get(who).name(),
                    median,
                    "µs");
            System.out.printf(
                    "| %d | %s | %.0f µs | %.0f µs | %.2f | %.2f |%n",
                    nodes,
                    contestants.get(who).name(),
                    median,
                    Figures.percentile(taken[who], 0.99),
                    median / floor,
                    median / lettuce);
        }
    }
}
