package io.holdfast.redis.connection;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The server processes of the nodes of one client. Prevents a server from voting twice under two names. Thread-safe.
 */
public final class DistinctServers {

    private final Map<String, String> runIds = new HashMap<>();

    /** Creates the servers of a client that has no node yet. */
    public DistinctServers() {}

    /** Returns the node that already uses this server process, or records this node as its user. */
    synchronized Optional<String> register(String name, String runId) {
        Optional<String> other = runIds.entrySet().stream()
                .filter(entry ->
                        !entry.getKey().equals(name) && entry.getValue().equals(runId))
                .map(Map.Entry::getKey)
                .findFirst();
        if (other.isEmpty() && !runId.isEmpty()) {
            runIds.put(name, runId);
        } else {
            runIds.remove(name);
        }
        return other;
    }
}
