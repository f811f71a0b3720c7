package io.holdfast.interop.kit;

import io.holdfast.testkit.LineLink;
import io.holdfast.testkit.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** A client in another language: a process that reads a request from each line of its input, and replies in a line. */
final class ForeignClient implements AutoCloseable {

    /** The command of the client under test; the Python client of this repository if it is not set. */
    private static final String COMMAND = System.getProperty("holdfast.client", "");

    private static final List<String> PYTHON = List.of("python3", "../../examples/python/conformance.py");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final LineLink link;
    private boolean endsQuarantines;

    /**
     * A lock that the client holds.
     *
     * @param token its fencing token
     * @param until the end of its validity by {@link System#nanoTime}
     */
    record ForeignLease(int number, long token, long until) {}

    private ForeignClient(Process process) {
        this.process = process;
        this.link = LineLink.to(process);
    }

    /** Returns {@code true} if the client can be started; one that was named must not be skipped. */
    static boolean isInstalled() {
        return !COMMAND.isEmpty()
                || Programs.succeed("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))");
    }

    /** Starts the client and connects it. */
    static ForeignClient connect(List<String> nodes, Duration longestLease, boolean quarantine) {
        ForeignClient client = start();
        JsonNode reply = client.send(
                "connect", Map.of("nodes", nodes, "longestLease", longestLease.toMillis(), "quarantine", quarantine));
        client.endsQuarantines = reply.path("endsQuarantines").asBoolean(false);
        return client;
    }

    private static ForeignClient start() {
        List<String> command = COMMAND.isEmpty() ? PYTHON : List.of(COMMAND.split(" "));
        try {
            return new ForeignClient(new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        } catch (IOException e) {
            throw new UncheckedIOException(command + " cannot be started", e);
        }
    }

    /** Returns {@code true} if the client probes nodes in quarantine, an optional part of the protocol. */
    boolean endsQuarantines() {
        return endsQuarantines;
    }

    /** Returns the lease; empty if the client did not acquire the lock within the wait. */
    Optional<ForeignLease> acquire(String lock, Duration ttl, Duration wait) {
        JsonNode reply = send("acquire", Map.of("lock", lock, "ttl", ttl.toMillis(), "wait", wait.toMillis()));
        return reply.has("lease")
                ? Optional.of(new ForeignLease(
                        reply.path("lease").asInt(),
                        reply.path("token").asLong(),
                        reply.path("until").asLong()))
                : Optional.empty();
    }

    /** Returns {@code true} if the client has extended the lease. */
    boolean extend(ForeignLease lease, Duration ttl) {
        return send("extend", Map.of("lease", lease.number(), "ttl", ttl.toMillis()))
                .path("extended")
                .asBoolean();
    }

    /** Returns {@code true} if the client relies on the lease. */
    boolean isHeld(ForeignLease lease) {
        return send("state", Map.of("lease", lease.number())).path("held").asBoolean();
    }

    /** Returns {@code true} if a majority has confirmed the release of the lease. */
    boolean release(ForeignLease lease) {
        return send("release", Map.of("lease", lease.number())).path("released").asBoolean();
    }

    private JsonNode send(String action, Map<String, Object> values) {
        Map<String, Object> request = new LinkedHashMap<>(Map.of("do", action));
        request.putAll(values);
        try {
            JsonNode reply = JSON.readTree(link.send(JSON.writeValueAsString(request)));
            if (reply.has("error")) {
                throw new IllegalStateException(
                        request + ": " + reply.path("error").asString());
            }
            return reply;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
