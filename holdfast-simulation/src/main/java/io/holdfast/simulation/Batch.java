package io.holdfast.simulation;

import io.holdfast.simulation.plan.Plan;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many runs of drawn plans, one per core at a time, counted in the order of their seeds. */
final class Batch {

    private Batch() {}

    /** Returns the plan of a seed; if {@code everything}, its clients call every public method. */
    static Plan plan(long seed, int nodes, boolean everything) {
        Plan drawn = Plan.of(seed, nodes);
        return everything ? drawn.withEverything() : drawn;
    }

    /** Runs this many seeds, or stops at the first that breaks a promise. */
    static Score run(int nodes, long from, long seeds, boolean untilViolation, boolean everything) {
        int cores = Runtime.getRuntime().availableProcessors();
        ExecutorService pool = Executors.newFixedThreadPool(cores);
        Score score = new Score(nodes, from);
        Progress progress = new Progress(seeds);
        long begun = System.nanoTime();
        try {
            Deque<Future<SimulationResult>> running = new ArrayDeque<>();
            for (long seed = from; seed < from + seeds || !running.isEmpty(); ) {
                while (seed < from + seeds && running.size() < 4 * cores) {
                    Plan plan = plan(seed++, nodes, everything);
                    running.add(pool.submit(() -> Simulation.of(plan)));
                }
                score.add(running.remove().get());
                progress.show(score.runs(), score.granted());
                if (untilViolation && !score.isGood()) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A run has failed", e.getCause());
        } finally {
            pool.shutdownNow();
            progress.clear();
        }
        score.took(Duration.ofNanos(System.nanoTime() - begun));
        return score;
    }
}
