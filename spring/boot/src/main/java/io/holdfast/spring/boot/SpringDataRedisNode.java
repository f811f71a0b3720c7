package io.holdfast.spring.boot;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.core.env.Environment;

/** The server of Spring Data Redis as the single node of an application that configures no node. */
final class SpringDataRedisNode {

    private static final String OF_PROPERTIES = "org.springframework.boot.data.redis.autoconfigure";

    private SpringDataRedisNode() {}

    /** Returns the server, Sentinel deployment or cluster that Spring Data Redis uses. */
    static NodeSource of(DataRedisConnectionDetails redis, Environment environment) {
        return new NodeSource(
                List.of((usesTls(redis, environment) ? "rediss" : "redis") + address(redis)),
                List.of(),
                redis.getUsername(),
                redis.getPassword(),
                sentinelLogin(redis.getSentinel()),
                redis.getSslBundle(),
                false);
    }

    /** Returns {@code true} if Boot uses TLS: if only the scheme of the URL says so, its details name no bundle. */
    private static boolean usesTls(DataRedisConnectionDetails redis, Environment environment) {
        return redis.getSslBundle() != null
                || (redis.getClass().getPackageName().equals(OF_PROPERTIES)
                        && environment.getProperty("spring.data.redis.url", "").startsWith("rediss:"));
    }

    private static String address(DataRedisConnectionDetails redis) {
        DataRedisConnectionDetails.Sentinel sentinel = redis.getSentinel();
        DataRedisConnectionDetails.Cluster cluster = redis.getCluster();
        DataRedisConnectionDetails.Standalone server = redis.getStandalone();
        if (sentinel != null) {
            return "-sentinel://" + hosts(sentinel.getNodes()) + database(sentinel.getDatabase()) + "#"
                    + sentinel.getMaster();
        } else if (cluster != null) {
            return "-cluster://" + hosts(cluster.getNodes());
        } else if (server != null && isOneServer(redis)) {
            return "://" + place(server.getHost(), server.getPort()) + database(server.getDatabase());
        }
        throw new ConfigurationException(
                "Spring Data Redis is configured with a master and replicas, which cannot be a node of Holdfast",
                "Set holdfast.nodes to the address of the master, or better to three independent servers.",
                null);
    }

    /**
     * Returns whether Spring Data Redis uses one server: no Sentinels, no cluster, and no replicas. Boot's details of
     * its properties name a server, by default localhost, whatever they configure.
     */
    static boolean isOneServer(DataRedisConnectionDetails redis) {
        return redis.getSentinel() == null && redis.getCluster() == null && redis.getMasterReplica() == null;
    }

    private static HoldfastProperties.Sentinel sentinelLogin(DataRedisConnectionDetails.@Nullable Sentinel sentinel) {
        return sentinel == null
                ? new HoldfastProperties.Sentinel(null, null)
                : new HoldfastProperties.Sentinel(sentinel.getUsername(), sentinel.getPassword());
    }

    private static String hosts(List<DataRedisConnectionDetails.Node> nodes) {
        return nodes.stream().map(node -> place(node.host(), node.port())).collect(Collectors.joining(","));
    }

    /** Puts an IPv6 address in brackets, which Spring Data Redis does not need. */
    private static String place(String host, int port) {
        boolean isBare = host.contains(":") && !host.startsWith("[");
        return (isBare ? "[" + host + "]" : host) + ":" + port;
    }

    private static String database(int number) {
        return number == 0 ? "" : "/" + number;
    }
}
