package io.holdfast.spring.boot;

import java.util.List;
import java.util.stream.Collectors;
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
                redis.getUsername(),
                redis.getPassword(),
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
            requireNoCredentials(sentinel);
            return "-sentinel://" + hosts(sentinel.getNodes()) + database(sentinel.getDatabase()) + "#"
                    + sentinel.getMaster();
        } else if (cluster != null) {
            return "-cluster://" + hosts(cluster.getNodes());
        } else if (server != null) {
            return "://" + place(server.getHost(), server.getPort()) + database(server.getDatabase());
        }
        throw new ConfigurationException(
                "Spring Data Redis is configured with a master and replicas, which cannot be a node of Holdfast",
                "Set holdfast.nodes to the address of the master, or better to three independent servers.",
                null);
    }

    /** The credentials of Holdfast are those of the nodes; it would ask the sentinels without these. */
    private static void requireNoCredentials(DataRedisConnectionDetails.Sentinel sentinel) {
        if (sentinel.getUsername() != null || sentinel.getPassword() != null) {
            throw new ConfigurationException(
                    "spring.data.redis.sentinel.username or password is set, which Holdfast does not send to sentinels",
                    "Remove the credentials of the sentinels, or set holdfast.nodes to independent servers.",
                    null);
        }
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
