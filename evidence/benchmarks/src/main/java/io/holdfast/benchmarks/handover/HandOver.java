package io.holdfast.benchmarks.handover;

import io.holdfast.benchmarks.contestant.Library;
import io.holdfast.benchmarks.handover.Worker.Hold;
import io.holdfast.benchmarks.handover.Worker.Team;
import io.holdfast.benchmarks.server.Deployment;
import io.holdfast.benchmarks.server.NodeStatistics;
import io.holdfast.benchmarks.server.RedisLockServers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Several processes on one lock. Measures how long the lock is free between a holder in one process and the next in
 * another, how long a thread waits for it, the fairness among the processes, and the scripts that a server runs for
 * each hand-over. The libraries have turns, in several rounds.
 */
public final class HandOver {

    private static final int PROCESSES = 3;

    private static final Duration BUSY = Duration.ofNanos(200_000);
    private static final Duration ASLEEP = Duration.ofMillis(5);
    private static final Duration ROUND_TRIP = Duration.ofMillis(2);
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration TURN = Duration.ofMillis(1_500);

    private static final int MANY_PROCESSES = 100;
    private static final int THREADS_OF_MANY = 10;
    /** Long enough for several turns of each thread. */
    private static final Duration LONG_TURN = Duration.ofSeconds(30);

    private static final int ROUNDS = 3;

    /** Between the schedule and the first turn, all workers read it. */
    private static final long HEAD_START_NANOS = 200_000_000;

    /** The number of threads of the additional team of Holdfast in the busy scenario. */
    private static final int MANY = 16;

    /**
     * A way to contend for the lock.
     *
     * @param processes the number of processes of each team
     * @param threads the number of threads in each process
     * @param held how long each holder holds the lock: it computes for less than a millisecond, and sleeps for longer
     * @param roundTrip what a proxy adds to a round trip between a client and a server
     */
    record Setting(int nodes, int processes, int threads, Duration held, Duration roundTrip) {

        Setting on(int others) {
            return new Setting(others, processes, threads, held, roundTrip);
        }
    }

    private HandOver() {}

    /** Runs the scenario in which each holder computes for 0.2 ms, and prints a table. */
    public static void busy() throws IOException, InterruptedException {
        compare(new Setting(1, PROCESSES, 4, BUSY, Duration.ZERO), 5);
    }

    /** Runs the scenario in which each holder sleeps for 5 ms, as it does while it waits for a database. */
    public static void asleep() throws IOException, InterruptedException {
        compare(new Setting(1, PROCESSES, 1, ASLEEP, Duration.ZERO), 5);
    }

    /** Runs the scenario in which the servers are 2 ms away, where only the number of round trips matters. */
    public static void distant() throws IOException, InterruptedException {
        compare(new Setting(1, PROCESSES, 1, ASLEEP, ROUND_TRIP), 3);
    }

    /** Runs the scenario with a thousand waiters of Holdfast in a hundred processes. */
    public static void crowd() throws IOException, InterruptedException {
        HandOverTable table = new HandOverTable(false);
        table.head();
        Setting one = new Setting(1, MANY_PROCESSES, THREADS_OF_MANY, ASLEEP, Duration.ZERO);
        for (Setting setting : List.of(one, one.on(5))) {
            measure(setting, List.of(Library.HOLDFAST), LONG_TURN, table);
        }
    }

    /** Runs a scenario on one node, and then on this greater number of nodes. */
    private static void compare(Setting one, int nodes) throws IOException, InterruptedException {
        HandOverTable table = new HandOverTable(!one.roundTrip().isZero());
        table.head();
        for (Setting setting : List.of(one, one.on(nodes))) {
            measure(setting, Library.on(setting.nodes()), TURN, table);
        }
    }

    private static void measure(Setting setting, List<Library> libraries, Duration turn, HandOverTable table)
            throws IOException, InterruptedException {
        try (Deployment deployment = Deployment.start(Library.kinds(libraries), setting.nodes());
                DistantServers servers = new DistantServers(deployment, setting.roundTrip())) {
            double roundTripMillis = servers.roundTripMillis();
            List<Team> teams = teams(setting, libraries, servers);
            try (Workers workers = new Workers(setting.processes(), setting.held(), teams)) {
                Schedule schedule =
                        new Schedule(System.nanoTime() + HEAD_START_NANOS, teams.size(), ROUNDS, WARM_UP, turn);
                workers.begin(schedule);
                long[] scripts = countScripts(schedule, teams, deployment);
                List<Hold> holds = workers.holds();
                for (int team = 0; team < teams.size(); team++) {
                    int index = team;
                    HandOverFigures figures = HandOverFigures.of(
                            holds.stream().filter(hold -> hold.team() == index).toList(),
                            schedule,
                            team,
                            setting.processes());
                    table.row(setting, teams.get(team), figures, roundTripMillis, scripts[team]);
                }
            }
        }
    }

    private static List<Team> teams(Setting setting, List<Library> libraries, DistantServers servers) {
        List<Team> teams = new ArrayList<>();
        for (Library library : libraries) {
            String uris = servers.addresses(library.kind());
            teams.add(new Team(library, setting.threads(), uris));
            if (library == Library.HOLDFAST && setting.threads() > 1 && setting.processes() == PROCESSES) {
                teams.add(new Team(library, MANY, uris));
            }
        }
        return teams;
    }

    /** Returns the scripts that the first server has run in the turns of each team; -1 where it is not Redis. */
    private static long[] countScripts(Schedule schedule, List<Team> teams, Deployment deployment)
            throws InterruptedException {
        long[] scripts = new long[teams.size()];
        for (int round = 1; round <= schedule.rounds(); round++) {
            for (int team = 0; team < scripts.length; team++) {
                RedisLockServers redis =
                        deployment.redis(teams.get(team).library().kind());
                if (redis == null) {
                    scripts[team] = -1;
                    continue;
                }
                Schedule.sleepUntil(schedule.begin(round, team));
                NodeStatistics before = NodeStatistics.of(redis.first());
                Schedule.sleepUntil(schedule.end(round, team));
                scripts[team] += NodeStatistics.of(redis.first()).since(before).scripts();
            }
        }
        return scripts;
    }
}
