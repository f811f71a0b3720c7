package io.holdfast.benchmarks;

import io.holdfast.benchmarks.Worker.Held;
import io.holdfast.servers.RedisServers;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Three processes of several threads on one lock, which each holder holds for 0.2 ms. Measures how long the lock is
 * free between a holder in one process and the next in another, the fairness among the processes, and the scripts that
 * the servers run for each hand-over.
 */
final class HandOver {

    private static final int WORKERS = 3;
    private static final long HELD_NANOS = 200_000;
    /** The time in which the workers start, connect and are compiled. */
    private static final long WARM_UP_NANOS = 20_000_000_000L;

    private HandOver() {}

    /** Runs the scenario and prints a table. */
    static void run(int seconds, Chart chart) throws IOException, InterruptedException {
        System.out.println("| N | library | threads | holds/s | time to another process, median | 99 % |"
                + " Jain's index over processes | scripts per such hand-over and node |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        for (int nodes : new int[] {1, 5}) {
            try (RedisServers servers = RedisServers.start(nodes)) {
                for (String library : Contestants.of(nodes)) {
                    measure(servers, nodes, library, 4, seconds, chart);
                }
                measure(servers, nodes, Contestants.HOLDFAST, 16, seconds, chart);
            }
        }
    }

    private static void measure(RedisServers servers, int nodes, String library, int threads, int seconds, Chart chart)
            throws IOException, InterruptedException {
        long begin = System.nanoTime() + WARM_UP_NANOS;
        long end = begin + seconds * 1_000_000_000L;
        List<Process> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            workers.add(start(servers, library, threads, begin, end));
        }
        while (System.nanoTime() < begin) {
            Thread.sleep(1);
        }
        long before = scripts(servers);
        while (System.nanoTime() < end) {
            Thread.sleep(1);
        }
        long run = scripts(servers) - before;
        List<Held> holds = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            holds.addAll(read(i, workers.get(i)));
        }
        print(nodes, library, threads * WORKERS, seconds, holds, run);
        chart.add(
                "Three processes on one lock, N = " + nodes + ", " + threads * WORKERS + " threads",
                library,
                holds.size() / (double) seconds,
                "holds/s");
    }

    private static Process start(RedisServers servers, String library, int threads, long begin, long end)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                SideBySide.class.getName(),
                "worker",
                library,
                Integer.toString(threads),
                Long.toString(HELD_NANOS),
                Long.toString(begin),
                Long.toString(end)));
        command.addAll(servers.addresses());
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static List<Held> read(int worker, Process process) throws IOException {
        List<Held> holds = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(process.getInputStream()))) {
            while (true) {
                holds.add(new Held(worker, in.readLong(), in.readLong()));
            }
        } catch (EOFException e) {
            return holds;
        }
    }

    /** Returns the number of scripts that the first server has run. */
    private static long scripts(RedisServers servers) {
        String statistics = String.valueOf(servers.get(0).exec("INFO", "commandstats"));
        return statistics
                .lines()
                .filter(line -> line.startsWith("cmdstat_eval"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("^\\w+:calls=(\\d+),.*", "$1")))
                .sum();
    }

    private static void print(int nodes, String library, int threads, int seconds, List<Held> holds, long scripts) {
        holds.sort(Comparator.comparingLong(Held::from));
        long[] shares = new long[WORKERS];
        List<Double> gaps = new ArrayList<>();
        for (int i = 0; i < holds.size(); i++) {
            Held held = holds.get(i);
            shares[held.worker()]++;
            if (i > 0 && holds.get(i - 1).worker() != held.worker()) {
                gaps.add((held.from() - holds.get(i - 1).to()) / 1_000.0);
            }
        }
        double[] micros = gaps.stream().mapToDouble(gap -> gap).toArray();
        System.out.printf(
                "| %d | %s | %d | %.0f | %s | %s | %.3f | %.1f |%n",
                nodes,
                library,
                threads,
                Arrays.stream(shares).sum() / (double) seconds,
                micros.length == 0 ? "never" : String.format("%.0f µs", Figures.median(micros)),
                micros.length == 0 ? "" : String.format("%.0f µs", Figures.percentile(micros, 0.99)),
                Figures.jain(shares),
                micros.length == 0 ? 0 : scripts / (double) micros.length);
    }
}
