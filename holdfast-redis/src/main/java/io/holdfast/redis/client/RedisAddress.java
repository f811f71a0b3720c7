package io.holdfast.redis.client;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the addresses of nodes, such as {@code redis://host:6379} or {@code redis-sentinel://host:26379#name}. */
public final class RedisAddress {

    /** The port of a Redis server whose address names none. */
    public static final int DEFAULT_PORT = 6379;

    private static final String SENTINEL = "-sentinel";
    private static final String CLUSTER = "-cluster";
    private static final String SENTINEL_PORT = "26379";
    private static final int GREATEST_PORT = 65_535;
    private static final String HOST = "[\\w.:-]{1,253}";
    private static final String PORT = "\\d{1,5}";
    private static final Set<String> SCHEMES =
            Set.of("redis", "rediss", "redis" + SENTINEL, "rediss" + SENTINEL, "redis" + CLUSTER, "rediss" + CLUSTER);

    private RedisAddress() {}

    /**
     * Returns {@code true} if nodes of this scheme can be reached by a client that supports {@code redis} and
     * {@code rediss}.
     */
    public static boolean supports(String scheme) {
        return SCHEMES.contains(scheme);
    }

    /** Returns the address without user, password and parameters. */
    public static String name(URI address) {
        String path = address.getPath() == null || address.getPath().equals("/") ? "" : address.getPath();
        String hosts = address.getHost() == null ? hostList(address) : address.getHost() + ":" + port(address);
        String fragment = address.getFragment() == null ? "" : "#" + address.getFragment();
        return address.getScheme() + "://" + hosts + path + fragment;
    }

    /** Returns the port of the address, or {@link #DEFAULT_PORT}. */
    public static int port(URI address) {
        return address.getPort() < 0 ? DEFAULT_PORT : address.getPort();
    }

    /** Returns {@code true} if the address names Sentinels, from which a client learns the master. */
    public static boolean isSentinel(URI address) {
        return address.getScheme().endsWith(SENTINEL);
    }

    /** Returns {@code true} if the address names servers of a Redis Cluster. */
    public static boolean isCluster(URI address) {
        return address.getScheme().endsWith(CLUSTER);
    }

    /** Returns an address for each server that the address names, with its user, password and database. */
    public static List<URI> hosts(URI address) {
        return Arrays.stream(hostList(address).split(","))
                .map(host -> URI.create("redis://" + withPort(host, Integer.toString(DEFAULT_PORT))))
                .map(host -> server(address, host.getHost(), Integer.toString(host.getPort())))
                .toList();
    }

    /** Returns an address for each Sentinel that the address names, without its password. */
    public static List<URI> sentinels(URI address) {
        return Arrays.stream(hostList(address).split(","))
                .map(host -> URI.create(serverScheme(address) + "://" + withPort(host, SENTINEL_PORT)))
                .toList();
    }

    private static String withPort(String host, String port) {
        return host.matches(".*:\\d+") ? host : host + ":" + port;
    }

    /** Returns the address of another server, with the user, the password and the database of this address. */
    public static URI server(URI address, String host, String port) {
        String authority = address.getRawAuthority();
        String user = authority.substring(0, authority.lastIndexOf('@') + 1);
        String bracketed = host.contains(":") ? "[" + host + "]" : host;
        String path = address.getRawPath() == null ? "" : address.getRawPath();
        return URI.create(serverScheme(address) + "://" + user + bracketed + ":" + port + path);
    }

    /**
     * Returns the address of a server that another server names, as {@link #server} does. Returns null if it is none.
     * The exception of {@link URI#create} would contain the password.
     */
    public static @Nullable URI named(URI address, String host, String port) {
        if (!host.matches(HOST) || !port.matches(PORT)) {
            return null;
        }
        try {
            URI server = server(address, host, port);
            return server.getHost() == null || server.getPort() > GREATEST_PORT || server.getPort() < 1 ? null : server;
        } catch (IllegalArgumentException noAddress) {
            return null;
        }
    }

    private static String serverScheme(URI address) {
        return address.getScheme().replace(SENTINEL, "").replace(CLUSTER, "");
    }

    private static String hostList(URI address) {
        return address.getRawAuthority().substring(address.getRawAuthority().lastIndexOf('@') + 1);
    }

    /** Returns the exception for an address that a client cannot parse. */
    public static IllegalArgumentException invalid(URI address) {
        return new IllegalArgumentException("'" + name(address)
                + "' is not an address that can be connected to; write redis://user:password@host:6379/0, where the"
                + " number of the database may be left out");
    }
}
