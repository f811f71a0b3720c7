package io.holdfast.faults;

import io.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One run of a plan, from starting the servers to counting what is left on them. */
public final class FaultRun {

    /** How long the clients go on when all faults are over: what they owe to servers that are back is paid then. */
    private static final long CALM_MILLIS = 3_000;

    private static final long END_SECONDS = 30;

    private FaultRun() {}

    /** Runs it. */
    public static Report of(FaultPlan plan) throws IOException, InterruptedException {
        List<FaultyServer> servers = Stream.generate(() -> new FaultyServer(plan.processes()))
                .limit(plan.nodes())
                .toList();
        try (Witness witness = Witness.start()) {
            List<Process> clients = startClients(plan, servers, witness.port());
            FaultSchedule schedule = new FaultSchedule(plan, servers);
            long recovery = 0;
            for (int phase = 0; phase < plan.phases(); phase++) {
                schedule.run(phase);
                long limit = plan.recoveryBound().toMillis() * 2;
                recovery = Math.max(recovery, witness.awaitEntries(FaultPlan.RESOURCES, limit));
            }
            Thread.sleep(CALM_MILLIS);
            stop(clients);
            return new Report(plan, witness.observations(), schedule.made(), recovery, keysLeft(servers));
        } finally {
            servers.forEach(FaultyServer::close);
        }
    }

    private static List<Process> startClients(FaultPlan plan, List<FaultyServer> servers, int witnessPort)
            throws IOException {
        List<Process> clients = new ArrayList<>();
        for (int i = 0; i < plan.processes(); i++) {
            List<String> line = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Djava.util.logging.config.file=/dev/null",
                    "-cp",
                    System.getProperty("java.class.path"),
                    ClientProcess.class.getName(),
                    "client-" + i,
                    Long.toString(plan.seed() + i),
                    Integer.toString(plan.threads()),
                    Long.toString(plan.lease().toMillis()),
                    Integer.toString(witnessPort)));
            for (FaultyServer server : servers) {
                line.add(server.uri(i));
            }
            clients.add(new ProcessBuilder(line)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        }
        return clients;
    }

    private static void stop(List<Process> clients) throws IOException, InterruptedException {
        for (Process client : clients) {
            client.getOutputStream().close();
        }
        for (Process client : clients) {
            if (!client.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                client.destroyForcibly();
                throw new IllegalStateException("A client did not end within " + END_SECONDS + " s");
            }
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
