package io.holdfast.redis.client;

import io.holdfast.node.NodeAddress;
import io.holdfast.security.Credentials;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The kinds of nodes that an address may stand for, and the servers that it names. */
public final class RedisAddress {

    private static final int SERVER_PORT = 6379;
    private static final int SENTINEL_PORT = 26379;
    private static final String TLS = "rediss";
    private static final String SENTINEL = "-sentinel";
    private static final String CLUSTER = "-cluster";
    private static final Set<String> SCHEMES =
            Set.of("redis", TLS, "redis" + SENTINEL, TLS + SENTINEL, "redis" + CLUSTER, TLS + CLUSTER);

    private RedisAddress() {}

    /**
     * Returns {@code true} if nodes of this scheme can be reached by a client that supports {@code redis} and
     * {@code rediss}.
     */
    public static boolean supports(String scheme) {
        return SCHEMES.contains(scheme);
    }

    /** Returns {@code true} if the address names Sentinels, from which a client learns the master. */
    public static boolean isSentinel(NodeAddress address) {
        return address.scheme().endsWith(SENTINEL);
    }

    /** Returns {@code true} if the address names servers of a Redis Cluster. */
    public static boolean isCluster(NodeAddress address) {
        return address.scheme().endsWith(CLUSTER);
    }

    /** Returns each server that the address names, with its user, password and database. */
    public static List<ServerAddress> servers(NodeAddress address) {
        ServerAddress.Role role = isCluster(address) ? ServerAddress.Role.SHARD : ServerAddress.Role.NODE;
        return servers(address, SERVER_PORT, address.login(), address.database(), role);
    }

    /** Returns each Sentinel that the address names, which does not know the user of the master. */
    public static List<ServerAddress> sentinels(NodeAddress address) {
        return servers(address, SENTINEL_PORT, null, 0, ServerAddress.Role.SENTINEL);
    }

    private static List<ServerAddress> servers(
            NodeAddress address, int usualPort, @Nullable Credentials login, int database, ServerAddress.Role role) {
        boolean tls = address.scheme().startsWith(TLS);
        return address.hosts().stream()
                .map(host -> new ServerAddress(host.name(), host.port().orElse(usualPort), tls, login, database, role))
                .toList();
    }
}
