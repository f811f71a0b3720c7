package io.holdfast.benchmarks;

import io.holdfast.servers.RedisServers;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Many threads of one process that acquire and release locks as fast as they can; counts the cycles per second. */
final class Throughput {

    private static final int NODES = 5;

    private Throughput() {}

    /** Runs 64 threads, each with its own lock. */
    static void distinct(int rounds, int seconds, Chart chart) throws Exception {
        compare(
                "64 threads on 64 locks",
                64,
                thread -> "lock-" + thread,
                List.of(RawLettuce::new, HoldfastLocks::new, RedissonLocks::new),
                rounds,
                seconds,
                chart);
    }

    /** Runs 16 threads on one lock. */
    static void contended(int rounds, int seconds, Chart chart) throws Exception {
        compare(
                "16 threads on one lock",
                16,
                thread -> "lock",
                List.of(HoldfastLocks::new, RedissonLocks::new),
                rounds,
                seconds,
                chart);
    }

    private static void compare(
            String title,
            int threads,
            IntFunction<String> resources,
            List<Function<List<String>, Contestant>> makers,
            int rounds,
            int seconds,
            Chart chart)
            throws Exception {
        System.out.println("| " + title + ", N = " + NODES + " | cycles/s, median of " + rounds
                + " | ratio of Holdfast to this |");
        System.out.println("|---|---|---|");
        Map<String, double[]> speeds = new LinkedHashMap<>();
        try (RedisServers servers = RedisServers.start(NODES)) {
            List<String> uris = servers.addresses();
            // The first round is a warm-up. The libraries use the servers in turns.
            for (int round = -1; round < rounds; round++) {
                for (Function<List<String>, Contestant> maker : makers) {
                    try (Contestant contestant = maker.apply(uris)) {
                        double speed = cyclesPerSecond(contestant, threads, resources, seconds);
                        double[] all = speeds.computeIfAbsent(contestant.name(), name -> new double[rounds]);
                        if (round >= 0) {
                            all[round] = speed;
                        }
                    }
                }
            }
        }
        double holdfast = Figures.median(speeds.getOrDefault("Holdfast", new double[1]));
        speeds.forEach((name, all) -> {
            double median = Figures.median(all);
            System.out.printf("| %s | %.0f | %.1f |%n", name, median, holdfast / median);
            chart.add(title + ", N = " + NODES, name, median, "cycles/s");
        });
    }

    private static double cyclesPerSecond(
            Contestant contestant, int threads, IntFunction<String> resources, int seconds)
            throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        LongAdder cycles = new LongAdder();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            String resource = resources.apply(i);
            all.add(new Thread(() -> {
                try {
                    while (!over.get()) {
                        contestant.acquire(resource).run();
                        cycles.increment();
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        all.forEach(Thread::start);
        // In the half second before the measurement, connections and the compiler settle.
        Thread.sleep(500);
        long before = cycles.sum();
        long begun = System.nanoTime();
        Thread.sleep(seconds * 1_000L);
        double speed = (cycles.sum() - before) / ((System.nanoTime() - begun) / 1e9);
        over.set(true);
        for (Thread thread : all) {
            thread.join();
        }
        return speed;
    }
}
