package io.holdfast.servers;

import io.holdfast.servers.binary.RedisBinary;
import io.holdfast.servers.binary.RedisVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A real redis-server on a loopback port, for tests that freeze, kill and restart it. The port never changes.
 *
 * <p>Methods may be called from any thread. If the JVM ends before {@link #close()}, a shutdown hook kills the process.
 */
public final class RedisServer implements AutoCloseable {

    private static final Duration EXEC_TIMEOUT = Duration.ofMinutes(1);
    private static final int PORT_ATTEMPTS = 5;

    private final RedisServerOptions options;
    private final RedisBinary binary;
    private final ServerDirectory directory;
    private final int port;
    private volatile ServerProcess process;

    private RedisServer(
            RedisServerOptions options,
            RedisBinary binary,
            ServerDirectory directory,
            int port,
            ServerProcess process) {
        this.options = options;
        this.binary = binary;
        this.directory = directory;
        this.port = port;
        this.process = process;
    }

    /** Starts a server with {@link RedisServerOptions#DEFAULT}. */
    public static RedisServer start() {
        return start(RedisServerOptions.DEFAULT);
    }

    /**
     * Starts a server and returns when it replies. A new server votes at once; after a restart it is in quarantine like
     * any other.
     *
     * @throws IllegalStateException if it does not start, with the reason and the end of the server's log
     */
    public static RedisServer start(RedisServerOptions options) {
        return start(options, FreePorts::next);
    }

    static RedisServer start(RedisServerOptions options, IntSupplier freePorts) {
        RedisBinary binary = options.binary() == null ? RedisBinary.find() : options.binary();
        ServerDirectory directory = ServerDirectory.open();
        try {
            return startOnFreePort(freePorts, options, binary, directory);
        } catch (RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    /** Tries another port if some other process takes the free port before the server does. */
    private static RedisServer startOnFreePort(
            IntSupplier freePorts, RedisServerOptions options, RedisBinary binary, ServerDirectory directory) {
        for (int attempt = 1; ; attempt++) {
            try {
                return startOn(freePorts.getAsInt(), options, binary, directory);
            } catch (StartFailure e) {
                if (!e.portTaken() || attempt == PORT_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static RedisServer startOn(
            int port, RedisServerOptions options, RedisBinary binary, ServerDirectory directory) {
        ServerProcess process = ServerProcess.start(binary, directory, port, options);
        ServerProcess.admit(port, options.password());
        return new RedisServer(options, binary, directory, port, process);
    }

    /** Returns the address for clients: {@code redis://127.0.0.1:port}, with the password if there is one. */
    public URI uri() {
        String password = options.password();
        String user = password == null ? "" : ":" + URLEncoder.encode(password, StandardCharsets.UTF_8) + "@";
        return URI.create("redis://" + user + "127.0.0.1:" + port);
    }

    public int port() {
        return port;
    }

    /** Returns the process id of the current server process, or of the last one. */
    public long pid() {
        return process.pid();
    }

    public RedisVersion version() {
        return binary.version();
    }

    /** Returns true if the server process exists, even if it is frozen. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends the server in an orderly way (SIGTERM), even if it is frozen. Has no effect if it has ended. */
    public synchronized void stop() {
        if (isAlive()) {
            thaw();
            process.terminate();
        }
    }

    /** Ends the server as a crash does (SIGKILL). Has no effect if it has ended. */
    public synchronized void kill() {
        process.kill();
        directory.deletePidFile();
    }

    /** Suspends the process (SIGSTOP): connections stay open, and no command is processed until {@link #thaw()}. */
    public synchronized void freeze() {
        process.signal("STOP");
    }

    /** Resumes a frozen server (SIGCONT); it then processes the commands that arrived in the meantime. */
    public synchronized void thaw() {
        process.signal("CONT");
    }

    /** Kills the server if it is running, and starts it on the same port without data. */
    public synchronized void restartEmpty() {
        process.kill();
        directory.deleteData();
        process = ServerProcess.start(binary, directory, port, options);
    }

    /**
     * Kills the server if it is running, and starts it on the same port with the data of its append-only file.
     *
     * @throws IllegalStateException if the options have no append-only file
     */
    public synchronized void restartKeepingMemory() {
        if (!options.appendonly().isOn()) {
            throw new IllegalStateException("A server with appendonly " + options.appendonly()
                    + " persists nothing; start it with EVERYSEC or ALWAYS, or use restartEmpty()");
        }
        process.kill();
        process = ServerProcess.start(binary, directory, port, options);
    }

    /**
     * Runs one command on a new connection and returns the reply: a String, a Long, a List of them, or null.
     *
     * @throws RedisReplyException if the server replies with an error
     * @throws UncheckedIOException if the server does not reply within a minute
     */
    public @Nullable Object exec(String... command) {
        return exec(EXEC_TIMEOUT, command);
    }

    /**
     * Runs a command as {@link #exec(String...)} does, with another limit, for a server that is not expected to reply.
     */
    public @Nullable Object exec(Duration timeout, String... command) {
        try (RespClient client = ServerProcess.connect(port, timeout, options.password())) {
            return client.exec(command);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "No reply to " + String.join(" ", command) + " from the redis-server on port " + port, e);
        }
    }

    /** Kills the server, whatever its state, and deletes its directory. */
    @Override
    public synchronized void close() {
        process.kill();
        directory.close();
    }

    @Override
    public String toString() {
        return version() + " on port " + port + ", pid " + pid();
    }
}
