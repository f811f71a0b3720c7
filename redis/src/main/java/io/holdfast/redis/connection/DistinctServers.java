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

    private final Map<String, User> users;
    private final @Nullable String cluster;

    /** The node that uses a server process. */
    private record User(String node, RunId runId) {}

    /** Creates the servers of a client that has no node yet. */
    public DistinctServers() {
        this(new HashMap<>(), null);
    }

    private DistinctServers(Map<String, User> users, @Nullable String cluster) {
        this.users = users;
        this.cluster = cluster;
    }

    /** Returns the same servers, for the shards of a cluster that is one node. */
    public DistinctServers ofCluster(String name) {
        return new DistinctServers(users, name);
    }

    /**
     * Returns the other node that already uses this server process, or records its use by this one.
     *
     * @param server the name of the server
     * @param runId the process; empty if it is unknown, which {@link ServerChecks} permits to the only node of a client
     */
    @SuppressWarnings("OptionalUsedAsFieldOrParameterType")
    Optional<String> register(String server, Optional<RunId> runId) {
        String node = cluster == null ? server : cluster;
        synchronized (users) {
            users.remove(server);
            Optional<String> other = runId.flatMap(process -> otherUser(node, process));
            if (other.isEmpty()) {
                runId.ifPresent(process -> users.put(server, new User(node, process)));
            }
            return other;
        }
    }

    private Optional<String> otherUser(String node, RunId runId) {
        return users.values().stream()
                .filter(user -> user.runId().equals(runId) && !user.node().equals(node))
                .map(User::node)
                .findFirst();
    }
}
