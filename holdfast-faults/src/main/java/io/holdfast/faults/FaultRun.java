package io.holdfast.faults;

import io.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** One run of a plan, from starting the servers to counting what is left on them. */
public final class FaultRun {

    /** How long the clients go on when all faults are over: what they owe to servers that are back is paid then. */
    private static final long CALM_MILLIS = 3_000;

    private FaultRun() {}

    /** Runs it. */
    public static Report of(FaultPlan plan) throws IOException, InterruptedException {
        List<FaultyServer> servers = Stream.generate(() -> new FaultyServer(plan.processes()))
                .limit(plan.nodes())
                .toList();
        try (Witness witness = Witness.start();
                Clients clients = Clients.start(plan, servers, witness.port())) {
            FaultSchedule schedule = new FaultSchedule(plan, servers, clients);
            long recovery = 0;
            for (int phase = 0; phase < plan.phases(); phase++) {
                schedule.run(phase);
                long limit = plan.recoveryBound().toMillis() * 2;
                recovery = Math.max(recovery, witness.awaitEntries(FaultPlan.RESOURCES, limit));
            }
            Thread.sleep(CALM_MILLIS);
            clients.stop();
            return new Report(plan, witness.observations(), schedule.made(), recovery, keysLeft(servers));
        } finally {
            servers.forEach(FaultyServer::close);
        }
    }

    private static int keysLeft(List<FaultyServer> servers) {
        int left = 0;
        for (FaultyServer server : servers) {
            for (int i = 0; i < FaultPlan.RESOURCES; i++) {
                RedisServer redis = server.server();
                left += redis.exec("GET", FaultPlan.resource(i)) == null ? 0 : 1;
            }
        }
        return left;
    }
}
