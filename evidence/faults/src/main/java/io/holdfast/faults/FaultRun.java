package io.holdfast.faults;

import io.holdfast.servers.Eventually;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/** A run of a plan, from starting the servers to counting the keys that are left on them. */
public final class FaultRun {

    /**
     * The time that clients continue after the last fault, in which they finish pending cleanups on restarted servers.
     */
    private static final long CALM_MILLIS = 3_000;

    private FaultRun() {}

    /** Runs the plan. */
    public static Report of(FaultPlan plan) throws IOException, InterruptedException {
        try (ServerSets servers = new ServerSets(plan);
                Witness witness = Witness.start();
                Clients clients = Clients.start(plan, servers, witness.port())) {
            FaultSchedule schedule = new FaultSchedule(plan, servers, clients);
            LongHeldLocks longHeld = new LongHeldLocks(plan, servers, clients, witness);
            long recovery = 0;
            for (int phase = 0; phase < plan.phases(); phase++) {
                if (plan.rolls(phase)) {
                    longHeld.roll(new Random(plan.seed() * 1_000_003 + phase));
                    schedule.count(FaultKind.ROLLING_RESTART);
                } else {
                    schedule.run(phase);
                    schedule.completeStep();
                }
                recovery = Math.max(recovery, witness.awaitEntries(plan.load().locks(), Eventually.BOUND));
                recovery = Math.max(recovery, longHeld.check());
            }
            Thread.sleep(CALM_MILLIS);
            clients.stop();
            int evicting = servers.all().stream()
                    .mapToInt(FaultyServer::votesWhileEvicting)
                    .sum();
            return new Report(
                    plan,
                    witness.observations(),
                    schedule.made(),
                    recovery,
                    keysLeft(servers.all()),
                    longHeld.missing(),
                    evicting);
        }
    }

    private static int keysLeft(List<FaultyServer> servers) {
        return servers.stream()
                .mapToInt(server ->
                        ((List<?>) Objects.requireNonNull(server.server().exec("KEYS", "fault:*"))).size())
                .sum();
    }
}
