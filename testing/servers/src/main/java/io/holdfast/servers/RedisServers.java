package io.holdfast.servers;

import io.holdfast.servers.binary.RedisBinary;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Several independent servers, for a quorum. */
public final class RedisServers implements AutoCloseable {

    private final List<RedisServer> servers;

    private RedisServers(List<RedisServer> servers) {
        this.servers = List.copyOf(servers);
    }

    /** Starts servers with {@link RedisServerOptions#DEFAULT}. */
    public static RedisServers start(int count) {
        return start(count, RedisServerOptions.DEFAULT);
    }

    /**
     * Starts servers concurrently. If one of them does not start, the others are closed.
     *
     * @throws IllegalStateException as {@link RedisServer#start(RedisServerOptions)} does
     */
    public static RedisServers start(int count, RedisServerOptions options) {
        RedisServerOptions each = options.binary() == null ? options.withBinary(RedisBinary.find()) : options;
        ExecutorService starters = Executors.newFixedThreadPool(Math.max(1, count));
        try {
            return collect(Stream.generate(() -> CompletableFuture.supplyAsync(() -> RedisServer.start(each), starters))
                    .limit(count)
                    .toList());
        } finally {
            starters.shutdown();
        }
    }

    private static RedisServers collect(List<CompletableFuture<RedisServer>> starts) {
        List<RedisServer> started = new ArrayList<>();
        List<RuntimeException> failures = new ArrayList<>();
        for (CompletableFuture<RedisServer> start : starts) {
            try {
                started.add(start.join());
            } catch (CompletionException e) {
                failures.add(e.getCause() instanceof RuntimeException cause ? cause : e);
            }
        }
        RedisServers all = new RedisServers(started);
        if (!failures.isEmpty()) {
            all.close();
            throw failures.get(0);
        }
        return all;
    }

    public RedisServer get(int index) {
        return servers.get(index);
    }

    public int count() {
        return servers.size();
    }

    public void forEach(Consumer<RedisServer> action) {
        servers.forEach(action);
    }

    /** Returns the addresses for clients, in the order of the servers. */
    public List<URI> uris() {
        return servers.stream().map(RedisServer::uri).toList();
    }

    /** Returns the addresses as strings, as {@code Holdfast.connect} expects them. */
    public List<String> addresses() {
        return uris().stream().map(URI::toString).toList();
    }

    /** Closes all servers, even if closing one of them fails. */
    @Override
    public void close() {
        RuntimeException failure = null;
        for (RedisServer server : servers) {
            try {
                server.close();
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
