package io.holdfast.benchmarks.server;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The servers of all libraries of a comparison, so many of each kind. */
public final class Deployment implements AutoCloseable {

    private final Map<ServerKind, LockServers> servers = new EnumMap<>(ServerKind.class);

    /** Starts the kinds of servers. If one does not start, the others are closed. */
    public static Deployment start(Collection<ServerKind> kinds, int count) {
        Deployment deployment = new Deployment();
        try {
            kinds.forEach(kind -> deployment.servers.computeIfAbsent(kind, missing -> missing.start(count)));
            return deployment;
        } catch (RuntimeException | AssertionError e) {
            deployment.close();
            throw e;
        }
    }

    /** Returns the servers of this kind, which were started. */
    public LockServers of(ServerKind kind) {
        return Objects.requireNonNull(servers.get(kind));
    }

    /** Returns the servers of this kind if they are Redis, and null otherwise. */
    public @Nullable RedisLockServers redis(ServerKind kind) {
        return of(kind) instanceof RedisLockServers redis ? redis : null;
    }

    @Override
    public void close() {
        servers.values().forEach(LockServers::close);
    }
}
