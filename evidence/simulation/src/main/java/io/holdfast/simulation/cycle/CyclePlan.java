package io.holdfast.simulation.cycle;

import io.holdfast.simulation.plan.Network;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The plan of a run without deadlocks: each thread takes its locks in one order.
 *
 * @param seed decides everything that the plan leaves open
 * @param clients the number of processes
 * @param threads the greatest number of threads of a process
 * @param locks the names of the locks, in the order in which they are taken
 * @param longestHold the longest time between two steps of a thread
 * @param shared the share of requests for a share, 0 to 1
 */
record CyclePlan(
        long seed,
        int nodes,
        int clients,
        int threads,
        List<String> locks,
        Duration longestHold,
        double shared,
        Network network) {

    /** Messages are late, and lost with their connections. */
    private static final Network POOR =
            new Network(Duration.ofMillis(5), Duration.ofMillis(500), 0.01, 0.001, 0.001, 0.001);

    private static final List<Duration> HOLDS =
            List.of(Duration.ofMillis(5), Duration.ofMillis(100), Duration.ofMillis(500), Duration.ofSeconds(4));

    /** Draws a plan whose processes have one thread, or up to four whose holds end within half a second. */
    static CyclePlan of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int threads = random.nextBoolean() ? 1 : 2 + random.nextInt(3);
        int locks = 2 + random.nextInt(6);
        return new CyclePlan(
                seed,
                random.nextBoolean() ? 1 : 3,
                2 + random.nextInt(5),
                threads,
                IntStream.range(0, locks).mapToObj(i -> "lock-" + i).toList(),
                HOLDS.get(random.nextInt(threads == 1 ? HOLDS.size() : HOLDS.size() - 1)),
                random.nextInt(3) == 0 ? 0.3 : 0,
                random.nextInt(3) == 0 ? POOR : Network.GOOD);
    }
}
