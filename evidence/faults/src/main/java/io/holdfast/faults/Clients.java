package io.holdfast.faults;

import io.holdfast.testkit.JavaProcess;
import io.holdfast.testkit.fault.ThreadStarts;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The client processes of a run. */
final class Clients implements AutoCloseable {

    private static final long END_SECONDS = 120;
    private static final List<String> STARTS_FAST = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final FaultPlan plan;
    private final ServerSets servers;
    private final int witnessPort;
    private final List<Process> processes = new ArrayList<>();
    private final List<ThreadStarts> threads = new ArrayList<>();
    private final @Nullable Path directory;

    private Clients(FaultPlan plan, ServerSets servers, int witnessPort) throws IOException {
        directory = ThreadStarts.isAvailable() ? Files.createTempDirectory("holdfast-faults") : null;
        this.plan = plan;
        this.servers = servers;
        this.witnessPort = witnessPort;
    }

    static Clients start(FaultPlan plan, ServerSets servers, int witnessPort) throws IOException {
        Clients clients = new Clients(plan, servers, witnessPort);
        for (int i = 0; i < FaultPlan.PROCESSES; i++) {
            clients.prepareThreads(i);
            clients.processes.add(clients.start(i));
        }
        for (Process process : clients.processes) {
            awaitReady(process);
        }
        return clients;
    }

    private void prepareThreads(int client) throws IOException {
        if (directory != null) {
            threads.add(ThreadStarts.in(Files.createDirectory(directory.resolve("client-" + client))));
        }
    }

    /** Returns true if this machine can make a client's thread starts fail. */
    boolean canFailThreads() {
        return !threads.isEmpty();
    }

    ThreadStarts threads(int client) {
        return threads.get(client);
    }

    private Process start(int client) {
        List<String> arguments = new ArrayList<>(List.of(
                Integer.toString(client),
                Long.toString(plan.seed() + client),
                Integer.toString(plan.load().threads()),
                Long.toString(plan.lease().toMillis()),
                Integer.toString(witnessPort),
                Long.toString(plan.load().longestStay().toMillis()),
                Integer.toString(plan.load().locks())));
        arguments.addAll(servers.arguments(client));
        try {
            ProcessBuilder builder = process(client, arguments).redirectError(ProcessBuilder.Redirect.INHERIT);
            if (canFailThreads()) {
                builder.environment().putAll(threads.get(client).environment());
            }
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ProcessBuilder process(int client, List<String> arguments) {
        if (!plan.isForeign(client)) {
            return JavaProcess.of(STARTS_FAST, ClientProcess.class, arguments);
        }
        List<String> command = new ArrayList<>(plan.foreign());
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }

    /**
     * Waits until all threads of the client run. A Java that cannot start a thread before ends, which says nothing of
     * the library.
     */
    private static void awaitReady(Process process) {
        try {
            if (process.getInputStream().read() < 0) {
                throw new IllegalStateException("A client ended before it was ready, with exit code "
                        + process.onExit().join().exitValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills the process at any point of its work and starts another in its place. */
    synchronized void replace(int client) throws InterruptedException {
        processes.get(client).destroyForcibly().waitFor();
        processes.set(client, start(client));
        awaitReady(processes.get(client));
    }

    /**
     * Makes each client acquire its own lock and the one that all clients request, and hold what it gets until {@link
     * #release}.
     */
    void hold() throws IOException {
        send(ClientProcess.HOLD);
    }

    /** Makes each client release its long-held locks. */
    void release() throws IOException {
        send(ClientProcess.RELEASE);
    }

    private synchronized void send(char command) throws IOException {
        for (Process process : processes) {
            process.getOutputStream().write(command);
            process.getOutputStream().flush();
        }
    }

    /** Ends all clients in an orderly way. */
    synchronized void stop() throws IOException, InterruptedException {
        for (Process process : processes) {
            process.getOutputStream().close();
        }
        for (Process process : processes) {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "A client did not end within " + END_SECONDS + " s. Its threads:\n" + threads(process));
            }
        }
    }

    /** Returns the stacks of a process of Java, or the reason why they are unknown. */
    private static String threads(Process process) throws IOException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process dump = new ProcessBuilder(jcmd.toString(), Long.toString(process.pid()), "Thread.print")
                .redirectErrorStream(true)
                .start();
        return new String(dump.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Kills the clients that are still running. */
    @Override
    public synchronized void close() {
        processes.forEach(Process::destroyForcibly);
        if (directory != null) {
            delete(directory);
        }
    }

    private static void delete(Path tree) {
        try (Stream<Path> files = Files.walk(tree)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
