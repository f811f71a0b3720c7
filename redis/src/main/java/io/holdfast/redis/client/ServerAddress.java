package io.holdfast.redis.client;

import io.holdfast.security.Credentials;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The server to which one connection leads. Immutable.
 *
 * @param host its name or number; an IPv6 address without brackets
 * @param port its port
 * @param tls whether the connection uses TLS
 * @param login the user and the password in the address of the node; null if it contains none
 * @param database the number of the database
 * @param role what the server is for this client
 */
public record ServerAddress(
        String host, int port, boolean tls, @Nullable Credentials login, int database, Role role) {

    /** The role of a server for a client, on which the remedy of an error depends. */
    public enum Role {
        /** A node, or the master that is one. */
        NODE,
        /** A Sentinel, which names the master. */
        SENTINEL,
        /** A shard of the cluster that is a node. */
        SHARD
    }

    /** Creates the address of a node. */
    public ServerAddress(String host, int port, boolean tls, @Nullable Credentials login, int database) {
        this(host, port, tls, login, database, Role.NODE);
    }

    private static final int GREATEST_PORT = 65_535;

    /** The names and numbers of hosts, and nothing that could be another part of an address. */
    private static final Pattern HOST = Pattern.compile("[\\w.-]{1,253}|[0-9a-fA-F:.]{2,45}(%[\\w.-]{1,30})?");

    /** Returns the address of another server that is reached in the same way; empty if a server names none. */
    public Optional<ServerAddress> at(String otherHost, long otherPort) {
        return HOST.matcher(otherHost).matches() && otherPort >= 1 && otherPort <= GREATEST_PORT
                ? Optional.of(new ServerAddress(otherHost, (int) otherPort, tls, login, database, role))
                : Optional.empty();
    }

    /** Returns the address as users see it, without user and password. */
    public String name() {
        String bracketed = host.contains(":") ? "[" + host + "]" : host;
        return (tls ? "rediss://" : "redis://") + bracketed + ":" + port + (database == 0 ? "" : "/" + database);
    }

    /** Returns the same as {@link #name}. */
    @Override
    public String toString() {
        return name();
    }
}
