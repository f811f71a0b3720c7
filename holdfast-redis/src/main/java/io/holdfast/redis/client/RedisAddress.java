package io.holdfast.redis.client;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The addresses of nodes. */
public final class RedisAddress {

    /** Where a Redis server listens unless it is told otherwise. */
    public static final int DEFAULT_PORT = 6379;

    private static final String SENTINEL = "-sentinel";
    private static final String CLUSTER = "-cluster";
    private static final String SENTINEL_PORT = "26379";
    private static final Set<String> SCHEMES =
            Set.of("redis", "rediss", "redis" + SENTINEL, "rediss" + SENTINEL, "redis" + CLUSTER, "rediss" + CLUSTER);

    private RedisAddress() {}

    /** Whether a client that knows {@code redis} and {@code rediss} gets to addresses of this scheme. */
    public static boolean supports(String scheme) {
        return SCHEMES.contains(scheme);
    }

    /** The address without user, password and parameters. */
    public static String name(URI address) {
        String path = address.getPath() == null || address.getPath().equals("/") ? "" : address.getPath();
        String place = address.getHost() == null ? hostList(address) : address.getHost() + ":" + port(address);
        String fragment = address.getFragment() == null ? "" : "#" + address.getFragment();
        return address.getScheme() + "://" + place + path + fragment;
    }

    public static int port(URI address) {
        return address.getPort() < 0 ? DEFAULT_PORT : address.getPort();
    }

    /** Whether it names Sentinels, who know the server. */
    public static boolean isSentinel(URI address) {
        return address.getScheme().endsWith(SENTINEL);
    }

    public static boolean isCluster(URI address) {
        return address.getScheme().endsWith(CLUSTER);
    }

    /** The servers that it names, with its user, password and database. */
    public static List<URI> hosts(URI address) {
        return Arrays.stream(hostList(address).split(","))
                .map(host -> URI.create("redis://" + withPort(host, Integer.toString(DEFAULT_PORT))))
                .map(host -> server(address, host.getHost(), Integer.toString(host.getPort())))
                .toList();
    }

    /** The Sentinels that it names, whom no password is given. */
    public static List<URI> sentinels(URI address) {
        return Arrays.stream(hostList(address).split(","))
                .map(host -> URI.create(serverScheme(address) + "://" + withPort(host, SENTINEL_PORT)))
                .toList();
    }

    private static String withPort(String host, String port) {
        return host.matches(".*:\\d+") ? host : host + ":" + port;
    }

    /** The address of a server, with the user, the password and the database of this one. */
    public static URI server(URI address, String host, String port) {
        String authority = address.getRawAuthority();
        String user = authority.substring(0, authority.lastIndexOf('@') + 1);
        String place = host.contains(":") ? "[" + host + "]" : host;
        String path = address.getRawPath() == null ? "" : address.getRawPath();
        return URI.create(serverScheme(address) + "://" + user + place + ":" + port + path);
    }

    private static String serverScheme(URI address) {
        return address.getScheme().replace(SENTINEL, "").replace(CLUSTER, "");
    }

    private static String hostList(URI address) {
        return address.getRawAuthority().substring(address.getRawAuthority().lastIndexOf('@') + 1);
    }

    /** What is said of an address that a client does not understand. */
    public static IllegalArgumentException senseless(URI address) {
        return new IllegalArgumentException("'" + name(address)
                + "' is not an address that can be connected to; write redis://user:password@host:6379/0, where the"
                + " number of the database may be left out");
    }
}
