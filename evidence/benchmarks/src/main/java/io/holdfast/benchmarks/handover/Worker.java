package io.holdfast.benchmarks.handover;

import io.holdfast.benchmarks.contestant.Contestant;
import io.holdfast.benchmarks.contestant.Library;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A process whose threads contend on one lock per library, in turns. It connects, writes {@link #READY}, reads a
 * schedule from its standard input, and in the end writes the times of its holds.
 */
public final class Worker {

    static final byte READY = 'r';

    /** From this time on, a holder sleeps. */
    private static final long LONG_NANOS = 1_000_000;

    /** In the warm-up, a hold is not longer than this, so that the code runs often. */
    private static final long WARM_UP_NANOS = 100_000;

    private final Queue<Hold> holds = new ConcurrentLinkedQueue<>();
    private final int number;
    private final Duration held;

    private Worker(int number, Duration held) {
        this.number = number;
        this.held = held;
    }

    /**
     * A library with its threads in this process.
     *
     * @param uris the addresses of its servers, separated by commas
     */
    record Team(Library library, int threads, String uris) {

        String argument() {
            return library + "|" + threads + "|" + uris;
        }

        static Team parse(String argument) {
            String[] parts = argument.split("\\|", -1);
            return new Team(Library.valueOf(parts[0]), Integer.parseInt(parts[1]), parts[2]);
        }

        /** Teams contend with the same team in other processes only. */
        String resource() {
            return "shared-" + library + "-" + threads;
        }
    }

    /**
     * The time of a hold, in ns of the monotonic clock.
     *
     * @param worker the number of the process
     * @param asked when the thread began to wait
     */
    record Hold(int worker, int team, int round, long asked, long from, long to) {

        private void write(DataOutputStream out) throws IOException {
            out.writeInt(worker);
            out.writeInt(team);
            out.writeInt(round);
            out.writeLong(asked);
            out.writeLong(from);
            out.writeLong(to);
        }

        /** Reads all holds that a worker has written. */
        static List<Hold> readAll(InputStream input) throws IOException {
            DataInputStream in = new DataInputStream(input);
            List<Hold> holds = new ArrayList<>();
            try {
                while (true) {
                    holds.add(new Hold(
                            in.readInt(), in.readInt(), in.readInt(), in.readLong(), in.readLong(), in.readLong()));
                }
            } catch (EOFException e) {
                return holds;
            }
        }
    }

    /** Runs a worker. Arguments: its number, the time of a hold in ns, and the teams. */
    public static void main(String[] arguments) {
        Logger.getLogger("").setLevel(Level.SEVERE);
        int code = 1;
        try {
            Worker worker = new Worker(Integer.parseInt(arguments[0]), Duration.ofNanos(Long.parseLong(arguments[1])));
            worker.work(Arrays.stream(arguments).skip(2).map(Team::parse).toList());
            code = 0;
        } catch (Exception e) {
            System.getLogger(Worker.class.getName()).log(System.Logger.Level.ERROR, "The worker has failed", e);
        }
        // Clients of rivals have threads that would run on.
        System.exit(code);
    }

    private void work(List<Team> teams) throws Exception {
        List<Contestant> contestants = new ArrayList<>();
        List<ExecutorService> threads = new ArrayList<>();
        for (Team team : teams) {
            Contestant contestant = team.library().connect(List.of(team.uris().split(",")));
            contestant.acquire("connected-" + team.resource() + number).run();
            contestants.add(contestant);
            threads.add(Executors.newFixedThreadPool(team.threads()));
        }
        System.out.write(READY);
        System.out.flush();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        Schedule schedule = Schedule.parse(in.readLine());
        for (int round = 0; round <= schedule.rounds(); round++) {
            for (int team = 0; team < teams.size(); team++) {
                Turn turn = new Turn(
                        team,
                        round,
                        schedule.begin(round, team),
                        schedule.end(round, team),
                        contestants.get(team),
                        teams.get(team).resource());
                run(turn, threads.get(team), teams.get(team).threads());
            }
        }
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
        for (Hold hold : holds) {
            hold.write(out);
        }
        out.flush();
    }

    private record Turn(int team, int round, long begin, long end, Contestant contestant, String resource) {}

    private void run(Turn turn, ExecutorService pool, int threads) throws InterruptedException, ExecutionException {
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            all.add(pool.submit(() -> {
                contend(turn);
                return null;
            }));
        }
        for (Future<?> each : all) {
            each.get();
        }
    }

    private void contend(Turn turn) throws Exception {
        Schedule.sleepUntil(turn.begin());
        long heldNanos = turn.round() == 0 ? Math.min(WARM_UP_NANOS, held.toNanos()) : held.toNanos();
        while (System.nanoTime() < turn.end()) {
            long asked = System.nanoTime();
            Runnable release = turn.contestant().acquire(turn.resource());
            long from = System.nanoTime();
            if (heldNanos >= LONG_NANOS) {
                Thread.sleep(heldNanos / LONG_NANOS);
            }
            while (System.nanoTime() - from < heldNanos) {
                Thread.onSpinWait();
            }
            long to = System.nanoTime();
            release.run();
            if (turn.round() > 0) {
                holds.add(new Hold(number, turn.team(), turn.round(), asked, from, to));
            }
        }
    }
}
