package io.holdfast.servers;

import io.holdfast.redis.FreshServer;
import io.holdfast.servers.binary.RedisBinary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** A server process, from its start to its end. */
final class ServerProcess {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration END_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration PROBE_TIMEOUT = Duration.ofMillis(500);
    private static final long PAUSE_MILLIS = 3;

    private final Process process;
    private final boolean detached;
    private final Runnable cleanup;

    private ServerProcess(Process process, boolean detached) {
        this.process = process;
        this.detached = detached;
        this.cleanup = process::destroyForcibly;
    }

    /**
     * Starts the server and waits until it replies.
     *
     * @throws StartFailure if it ends or does not reply in time
     */
    static ServerProcess start(RedisBinary binary, ServerDirectory directory, int port, RedisServerOptions options) {
        ServerProcess started = launch(binary, directory, port, options, false);
        try {
            started.awaitReady(binary, directory, port, options.password(), id -> id == started.pid());
            return started;
        } catch (RuntimeException e) {
            started.kill();
            throw e;
        }
    }

    private static ServerProcess launch(
            RedisBinary binary, ServerDirectory directory, int port, RedisServerOptions options, boolean detached) {
        try {
            RedisServerOptions identified = options.withConfig("pidfile \"" + directory.pidFile() + "\"");
            directory.writeConfig(identified.config(port, directory.data()));
            Process process = new ProcessBuilder(
                            binary.path().toString(), directory.config().toString())
                    .directory(directory.data().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.log().toFile())
                    .start();
            ServerProcess launched = new ServerProcess(process, detached);
            ProcessCleanup.add(launched.cleanup);
            return launched;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + binary.path(), e);
        }
    }

    /**
     * Starts a server that outlives this process, in its own session, and waits until it replies.
     *
     * @return its process id
     * @throws StartFailure if it ends or does not reply in time
     */
    static long startDetached(RedisBinary binary, ServerDirectory directory, int port, RedisServerOptions options) {
        RedisServerOptions daemon =
                options.withConfig("daemonize yes").withConfig("logfile \"" + directory.log() + "\"");
        ServerProcess launcher = launch(binary, directory, port, daemon, true);
        ProcessCleanup.remove(launcher.cleanup);
        return launcher.awaitReady(binary, directory, port, options.password(), id -> true);
    }

    private long awaitReady(
            RedisBinary binary, ServerDirectory directory, int port, @Nullable String password, LongPredicate isOurs) {
        long start = System.nanoTime();
        while (true) {
            long id = respondingProcess(port, password);
            if (id > 0 && isOurs.test(id)) {
                return id;
            }
            boolean late = System.nanoTime() - start > START_TIMEOUT.toNanos();
            if (late || hasFailed()) {
                String what = late ? "did not answer within " + START_TIMEOUT.toSeconds() + " s" : "ended at once";
                String tail = directory.logTail();
                throw new StartFailure(
                        binary.path() + " on port " + port + " " + what + "; the end of its log: " + tail,
                        tail.contains("Address already in use"));
            }
            pause();
        }
    }

    /** Returns true if the process has ended unexpectedly. A process that only launches the server ends normally. */
    private boolean hasFailed() {
        return !process.isAlive() && (!detached || process.exitValue() != 0);
    }

    /**
     * Returns the id of the process that replies on this port, or 0. The reply to a PING does not identify the process.
     */
    private static long respondingProcess(int port, @Nullable String password) {
        try (RespClient client = connect(port, PROBE_TIMEOUT, password)) {
            return "PONG".equals(client.exec("PING")) ? processId(client) : 0;
        } catch (IOException | RedisReplyException notYet) {
            return 0;
        }
    }

    static long processId(RespClient client) throws IOException {
        return Long.parseLong(info(client, "process_id").orElse("-1"));
    }

    private static Optional<String> info(RespClient client, String field) throws IOException {
        String info = String.valueOf(client.exec("INFO", "server"));
        return info.lines()
                .filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1))
                .findFirst();
    }

    /** Admits a new server, so that it votes at once: a server without a history has forgotten nothing. */
    static void admit(int port, @Nullable String password) {
        try (RespClient client = connect(port, START_TIMEOUT, password)) {
            String run = info(client, "run_id").orElseThrow();
            client.exec(FreshServer.command(run).toArray(String[]::new));
        } catch (RedisReplyException e) {
            // A server of a cluster that has no slots yet stores no keys. It is admitted once the cluster is formed.
            System.getLogger(ServerProcess.class.getName()).log(System.Logger.Level.DEBUG, "Not admitted", e);
        } catch (IOException e) {
            throw new UncheckedIOException("The new server on port " + port + " does not answer", e);
        }
    }

    public static RespClient connect(int port, Duration timeout, @Nullable String password) throws IOException {
        RespClient client = new RespClient(port, timeout);
        if (password == null) {
            return client;
        }
        try {
            client.exec("AUTH", password);
            return client;
        } catch (IOException | RuntimeException e) {
            client.close();
            throw e;
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends the process with SIGTERM, or with SIGKILL if it does not end in time. */
    void terminate() {
        process.destroy();
        if (!ends()) {
            kill();
        }
        ProcessCleanup.remove(cleanup);
    }

    /** Ends the process with SIGKILL, which also works on a frozen process, and returns when it is gone. */
    void kill() {
        process.destroyForcibly();
        if (!ends()) {
            throw new IllegalStateException("Process " + pid() + " is still running " + END_TIMEOUT.toSeconds()
                    + " s after SIGKILL; see what the system says about it");
        }
        ProcessCleanup.remove(cleanup);
    }

    /** Sends a signal that Java has no method for, using the shell. */
    void signal(String name) {
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid()).start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("Cannot send SIG" + name + " to process " + pid() + ": it has ended");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot run the shell that sends SIG" + name, e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private boolean ends() {
        try {
            return process.waitFor(END_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("Interrupted while waiting for a redis-server", cause);
    }
}
