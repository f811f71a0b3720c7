package io.holdfast.redis;

import java.net.URI;

/** The addresses of servers. */
public final class Address {

    /** Where a Redis server listens unless it is told otherwise. */
    public static final int DEFAULT_PORT = 6379;

    private Address() {}

    /** The address without user, password and parameters. */
    public static String name(URI address) {
        String path = address.getPath() == null || address.getPath().equals("/") ? "" : address.getPath();
        return address.getScheme() + "://" + address.getHost() + ":" + port(address) + path;
    }

    public static int port(URI address) {
        return address.getPort() < 0 ? DEFAULT_PORT : address.getPort();
    }

    /** What is said of an address that a client does not understand. */
    public static IllegalArgumentException senseless(URI address) {
        return new IllegalArgumentException("'" + name(address)
                + "' is not an address that can be connected to; write redis://user:password@host:6379/0, where the"
                + " number of the database may be left out");
    }
}
