package io.holdfast.scoreboard;

import io.holdfast.scoreboard.client.ClientProcess;
import io.holdfast.scoreboard.contestant.Library;
import io.holdfast.scoreboard.server.Networks;
import io.holdfast.testkit.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The client processes of a run. */
final class Clients implements AutoCloseable {

    private final List<Process> processes = new ArrayList<>();
    private final Library library;
    private final int witnessPort;
    private final Path log;

    /**
     * Prepares no client yet.
     *
     * @param log the file of what the clients write to stderr
     */
    Clients(Library library, int witnessPort, Path log) {
        this.library = library;
        this.witnessPort = witnessPort;
        this.log = log;
    }

    /** Starts the next client, with further variables in its environment. */
    void start(Networks networks, Map<String, String> environment) throws IOException {
        int number = processes.size();
        List<String> arguments = new ArrayList<>(List.of(
                Integer.toString(number),
                Integer.toString(witnessPort),
                Long.toString(library.lease().toMillis()),
                library.name()));
        arguments.addAll(networks.uris(number));
        ProcessBuilder builder = library.process(ClientProcess.class, arguments)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        processes.add(builder.start());
    }

    /** Stops the process of a client (SIGSTOP). */
    void stop(int client) {
        signal("-STOP", client);
    }

    /** Lets the process of a client run again (SIGCONT). */
    void proceed(int client) {
        signal("-CONT", client);
    }

    private void signal(String signal, int client) {
        if (!Programs.succeed(
                "kill", signal, Long.toString(processes.get(client).pid()))) {
            throw new IllegalStateException("kill " + signal + " has failed for client " + client);
        }
    }

    void kill(int client) {
        processes.get(client).destroyForcibly();
    }

    boolean isAlive(int client) {
        return processes.get(client).isAlive();
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }
}
