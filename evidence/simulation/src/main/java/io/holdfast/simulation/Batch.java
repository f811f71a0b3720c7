package io.holdfast.simulation;

import io.holdfast.simulation.plan.Plan;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Many runs of drawn plans, one per thread at a time, counted in the order of their seeds. The number of threads
 * therefore changes no result.
 *
 * @param from the first seed
 * @param seeds the greatest number of seeds
 * @param leases no further seed is counted once this many leases were granted
 * @param untilViolation whether the first seed that breaks a promise is the last one
 * @param everything whether in all runs, not only in a third, clients call every public method
 * @param previous the number of nodes between which and the others the clients are changed; 0: none
 * @param threads the number of runs at a time, each on a thread of its own
 */
record Batch(
        long from, long seeds, long leases, boolean untilViolation, boolean everything, int previous, int threads) {

    /** Some runs take a hundred times as long as others. Enough later ones are submitted that no thread is idle. */
    private static final int AHEAD = 64;

    /** Returns a batch of this many seeds on all cores. */
    static Batch of(long from, long seeds) {
        return new Batch(
                from,
                seeds,
                Long.MAX_VALUE,
                false,
                false,
                0,
                Runtime.getRuntime().availableProcessors());
    }

    /** Returns this batch with clients that are changed between this number of nodes and the others. */
    Batch changingFrom(int nodes) {
        return new Batch(from, seeds, leases, untilViolation, everything, nodes, threads);
    }

    /** Returns the plan of a seed. */
    Plan plan(long seed, int nodes) {
        Plan drawn = Plan.of(seed, nodes);
        Plan used = everything ? drawn.withEverything() : drawn;
        return previous == 0 ? used : used.changing(previous);
    }

    /** Runs the seeds with this many nodes, silently. */
    Score run(int nodes) {
        return run(nodes, score -> {});
    }

    /**
     * Runs the seeds with this many nodes.
     *
     * @param progress receives the score so far after each seed
     */
    Score run(int nodes, Consumer<Score> progress) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        Score score = new Score(nodes, from);
        long begun = System.nanoTime();
        try {
            Deque<Future<SimulationResult>> running = new ArrayDeque<>();
            for (long seed = from; !isOver(score); ) {
                while (seed < from + seeds && running.size() < AHEAD * threads) {
                    Plan plan = plan(seed++, nodes);
                    running.add(pool.submit(() -> Simulation.of(plan)));
                }
                score.add(running.remove().get());
                progress.accept(score);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("The run of seed " + (from + score.runs()) + " has failed", e.getCause());
        } finally {
            pool.shutdownNow();
        }
        score.took(Duration.ofNanos(System.nanoTime() - begun));
        return score;
    }

    private boolean isOver(Score score) {
        return score.runs() >= seeds || score.granted() >= leases || (untilViolation && !score.isGood());
    }
}
