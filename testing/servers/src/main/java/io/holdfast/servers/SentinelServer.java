package io.holdfast.servers;

import io.holdfast.servers.binary.RedisBinary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A real Sentinel that monitors one master and fails over automatically. */
public final class SentinelServer implements AutoCloseable {

    /** The name of the master. */
    public static final String MASTER = "locks";

    /** After this time, the Sentinel replaces a master that does not answer. A busy master has much more. */
    private static final String QUICK_MILLIS = "300";

    private static final String PATIENT_MILLIS = "60000";

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final Process process;
    private final int port;
    private final Runnable cleanup;

    private SentinelServer(Process process, int port) {
        this.process = process;
        this.port = port;
        this.cleanup = process::destroyForcibly;
        ProcessCleanup.add(cleanup);
    }

    /**
     * Starts a Sentinel and returns when it has discovered the master's replica.
     *
     * @param directory the directory for its files
     */
    public static SentinelServer over(RedisServer master, Path directory) {
        SentinelServer sentinel = start(master, directory);
        Eventually.eventually("the Sentinel knows a replica", sentinel::knowsAReplica);
        return sentinel;
    }

    /**
     * Starts a Sentinel and returns when it names the master.
     *
     * @param directory the directory for its files
     */
    public static SentinelServer start(RedisServer master, Path directory) {
        int port = FreePorts.next();
        try {
            Path config = Files.write(
                    directory.resolve("sentinel.conf"),
                    List.of(
                            "bind 127.0.0.1",
                            "port " + port,
                            "dir \"" + directory + "\"",
                            "sentinel monitor " + MASTER + " 127.0.0.1 " + master.port() + " 1",
                            "sentinel down-after-milliseconds " + MASTER + " " + PATIENT_MILLIS,
                            "sentinel failover-timeout " + MASTER + " 2000"));
            Process process = new ProcessBuilder(RedisBinary.find().path().toString(), config.toString(), "--sentinel")
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("sentinel.log").toFile())
                    .start();
            SentinelServer sentinel = new SentinelServer(process, port);
            Eventually.eventually("the Sentinel answers", sentinel::isUp);
            return sentinel;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start a Sentinel", e);
        }
    }

    private boolean knowsAReplica() {
        try {
            return !((List<?>) Objects.requireNonNull(exec("SENTINEL", "replicas", MASTER))).isEmpty();
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    private boolean isUp() {
        try {
            return masterPort() > 0;
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    /** Makes the Sentinel require this password. No other method may be called afterwards, except {@link #close}. */
    public void requirePassword(String password) {
        exec("ACL", "SETUSER", "default", "resetpass", ">" + password);
    }

    /** Makes the Sentinel name a server of this number as a master, also if it cannot reach it. */
    public void monitor(String name, String host, int masterPort) {
        exec("SENTINEL", "MONITOR", name, host, Integer.toString(masterPort), "1");
    }

    /** Returns the address for clients, which ask the Sentinel for a master of this name. */
    public String address(String name) {
        return "redis-sentinel://127.0.0.1:" + port + "#" + name;
    }

    /** Returns the address for clients, which ask the Sentinel for the master. */
    public String address() {
        return address(MASTER);
    }

    /** Returns the port of the server that the Sentinel currently considers the master. */
    public int masterPort() {
        List<?> address = (List<?>) Objects.requireNonNull(exec("SENTINEL", "get-master-addr-by-name", MASTER));
        return Integer.parseInt((String) address.get(1));
    }

    /** Kills the master, and returns when this Sentinel names the replica. */
    public void replaceKilled(RedisServer master, RedisServer replica) {
        master.kill();
        exec("SENTINEL", "SET", MASTER, "down-after-milliseconds", QUICK_MILLIS);
        Eventually.eventually("the replica is the master", () -> masterPort() == replica.port());
    }

    /** Makes the replica the master although the master is alive, and returns when this Sentinel names the replica. */
    public void failOverTo(RedisServer replica) {
        Eventually.eventually("the Sentinel starts a failover", () -> exec("SENTINEL", "FAILOVER", MASTER) != null);
        Eventually.eventually("the replica is the master", () -> masterPort() == replica.port());
    }

    private Object exec(String... command) {
        try (RespClient client = new RespClient(port, TIMEOUT)) {
            return Objects.requireNonNull(client.exec(command));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        ProcessCleanup.remove(cleanup);
    }
}
