package io.holdfast.redis.connection;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The server processes of the nodes of one client. Prevents a server from voting twice under two names. Thread-safe.
 */
public final class DistinctServers {

    private final Map<String, RunId> runIds = new HashMap<>();

    /** Creates the servers of a client that has no node yet. */
    public DistinctServers() {}

    /**
     * Returns the node that already uses this server process, or records this node as its user.
     *
     * @param runId the process; empty if it is unknown, which {@link ServerChecks} permits to the only node of a client
     */
    @SuppressWarnings("OptionalUsedAsFieldOrParameterType")
    synchronized Optional<String> register(String name, Optional<RunId> runId) {
        runIds.remove(name);
        Optional<String> other = runId.flatMap(this::user);
        if (other.isEmpty()) {
            runId.ifPresent(known -> runIds.put(name, known));
        }
        return other;
    }

    private Optional<String> user(RunId runId) {
        return runIds.entrySet().stream()
                .filter(entry -> entry.getValue().equals(runId))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
