package io.holdfast.simulation;

import io.holdfast.simulation.cycle.CycleRun;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ToLongFunction;

/**
 * Many runs without deadlocks, in which a reader looks for clients that wait for each other.
 *
 * @param acquisitions how many locks are granted in all runs together
 * @param threads the number of runs at a time
 */
record CycleBatch(long acquisitions, int threads) {

    private static final long PER_RUN = 2_000;

    /** Runs the seeds from 0 on and prints a row. Returns whether no cycle was wrong. */
    boolean run(PrintWriter out) {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<CycleRun.Result> results = new ArrayList<>();
        List<String> reports = new ArrayList<>();
        try {
            List<CompletableFuture<CycleRun.Result>> running = new ArrayList<>();
            for (long seed = 0; seed < (acquisitions + PER_RUN - 1) / PER_RUN; seed++) {
                long which = seed;
                running.add(CompletableFuture.supplyAsync(() -> CycleRun.of(which, PER_RUN), pool));
            }
            running.stream().map(CompletableFuture::join).forEach(results::add);
        } finally {
            pool.shutdownNow();
        }
        for (int seed = 0; seed < results.size(); seed++) {
            for (Object cycle : results.get(seed).wrong()) {
                reports.add("seed " + seed + ": " + cycle);
            }
        }
        out.println("| seeds | locks granted | readings | that alone seem to show a cycle | cycles named"
                + " | of these, wrong |");
        out.println("|---|---|---|---|---|---|");
        long named = sum(results, CycleRun.Result::named) + reports.size();
        out.println("| 0 to " + (results.size() - 1) + " | " + sum(results, CycleRun.Result::granted) + " | "
                + sum(results, CycleRun.Result::readings) + " | " + sum(results, CycleRun.Result::seeming) + " | "
                + named + " | " + reports.size() + " |");
        reports.stream().limit(5).forEach(out::println);
        out.flush();
        return reports.isEmpty();
    }

    private static long sum(List<CycleRun.Result> results, ToLongFunction<CycleRun.Result> count) {
        return results.stream().mapToLong(count).sum();
    }
}
