package io.holdfast.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The client processes of a run. */
final class Clients implements AutoCloseable {

    private static final long END_SECONDS = 30;

    private final FaultPlan plan;
    private final List<FaultyServer> servers;
    private final int witnessPort;
    private final List<Process> processes = new ArrayList<>();

    private Clients(FaultPlan plan, List<FaultyServer> servers, int witnessPort) {
        this.plan = plan;
        this.servers = servers;
        this.witnessPort = witnessPort;
    }

    static Clients start(FaultPlan plan, List<FaultyServer> servers, int witnessPort) {
        Clients clients = new Clients(plan, servers, witnessPort);
        for (int i = 0; i < plan.processes(); i++) {
            clients.processes.add(clients.start(i));
        }
        return clients;
    }

    private Process start(int client) {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.util.logging.config.file=/dev/null",
                "-cp",
                System.getProperty("java.class.path"),
                ClientProcess.class.getName(),
                "client-" + client,
                Long.toString(plan.seed() + client),
                Integer.toString(plan.threads()),
                Long.toString(plan.lease().toMillis()),
                Integer.toString(witnessPort)));
        for (FaultyServer server : servers) {
            line.add(server.uri(client));
        }
        try {
            return new ProcessBuilder(line)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills the process, wherever it is, and starts another in its place. */
    synchronized void replace(int client) throws InterruptedException {
        processes.get(client).destroyForcibly().waitFor();
        processes.set(client, start(client));
    }

    /** Lets all of them end by themselves. */
    synchronized void stop() throws IOException, InterruptedException {
        for (Process process : processes) {
            process.getOutputStream().close();
        }
        for (Process process : processes) {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("A client did not end within " + END_SECONDS + " s");
            }
        }
    }

    /** Kills what is left of them. */
    @Override
    public synchronized void close() {
        processes.forEach(Process::destroyForcibly);
    }
}
