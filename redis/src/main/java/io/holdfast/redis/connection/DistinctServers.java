package io.holdfast.redis.connection;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The server processes of the nodes of one client. Prevents a server from voting for two nodes. The shards of a cluster
 * belong to one node, which may come to name its servers differently. Thread-safe.
 */
public final class DistinctServers {

    private final Map<User, RunId> runIds;
    private final @Nullable String cluster;

    /** A node, and the name by which it uses a server. */
    private record User(String node, String server) {}

    /** Creates the servers of a client that has no node yet. */
    public DistinctServers() {
        this(new HashMap<>(), null);
    }

    private DistinctServers(Map<User, RunId> runIds, @Nullable String cluster) {
        this.runIds = runIds;
        this.cluster = cluster;
    }

    /** Returns the same servers, for the shards of a cluster that is one node. */
    public DistinctServers ofCluster(String name) {
        return new DistinctServers(runIds, name);
    }

    /**
     * Returns the other node that already uses this server process, or records its use by this one.
     *
     * @param server the name of the server
     * @param runId the process; empty if it is unknown, which {@link ServerChecks} permits to the only node of a client
     */
    @SuppressWarnings("OptionalUsedAsFieldOrParameterType")
    Optional<String> register(String server, Optional<RunId> runId) {
        User user = new User(cluster == null ? server : cluster, server);
        synchronized (runIds) {
            runIds.remove(user);
            Optional<String> other = runId.flatMap(process -> otherNode(user.node(), process));
            if (other.isEmpty()) {
                runId.ifPresent(process -> runIds.put(user, process));
            }
            return other;
        }
    }

    private Optional<String> otherNode(String node, RunId runId) {
        return runIds.entrySet().stream()
                .filter(entry -> entry.getValue().equals(runId))
                .map(entry -> entry.getKey().node())
                .filter(other -> !other.equals(node))
                .findFirst();
    }
}
