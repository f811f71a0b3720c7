package io.holdfast.redis.cluster;

import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.client.RequiredAcl;
import io.holdfast.redis.client.ServerAddress;
import io.holdfast.redis.connection.AddressMap;
import io.holdfast.redis.keys.ReplyParser;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The map of the slots of a cluster, read from the servers that it names. A server that it no longer names is not
 * asked: it may serve another cluster at the same address. Thread-safe.
 */
final class CurrentMap {

    private final List<ServerAddress> seeds;
    private final AddressMap addresses;
    private final Function<ServerAddress, RedisSession> sessions;
    private final Consumer<List<ServerAddress>> preparation;
    /** The running request for the map, or null. */
    private final AtomicReference<@Nullable CompletableFuture<Boolean>> refreshing = new AtomicReference<>();

    private volatile SlotMap map = SlotMap.NONE;
    private volatile String failure = "";
    private volatile boolean closed;

    /**
     * Creates a map that names no server yet.
     *
     * @param seeds the servers that the user has named, which are asked if no server of the map has one
     * @param sessions returns the session with a server
     * @param preparation receives the servers of a map before the map is used
     */
    CurrentMap(
            List<ServerAddress> seeds,
            AddressMap addresses,
            Function<ServerAddress, RedisSession> sessions,
            Consumer<List<ServerAddress>> preparation) {
        this.seeds = seeds;
        this.addresses = addresses;
        this.sessions = sessions;
        this.preparation = preparation;
    }

    SlotMap get() {
        return map;
    }

    /** Returns the reason why the last request for the map failed, or an empty string. */
    String failure() {
        return failure;
    }

    /**
     * Requests the map from these servers, unless a request is running. The future completes with {@code true} at the
     * first usable reply, or with {@code false} if there is none.
     */
    CompletableFuture<Boolean> refresh(List<ServerAddress> sources) {
        if (closed) {
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<Boolean> refreshed = new CompletableFuture<>();
        CompletableFuture<Boolean> running = refreshing.compareAndExchange(null, refreshed);
        if (running != null) {
            return running;
        }
        // The next request must not wait for a reply that never comes, so every outcome ends this one.
        refreshed.whenComplete((done, broken) -> refreshing.set(null));
        read(sources, refreshed)
                .thenCompose(done -> read(refreshed.isDone() ? List.of() : seeds, refreshed))
                .whenComplete((done, broken) -> refreshed.complete(false));
        return refreshed;
    }

    private CompletableFuture<Void> read(List<ServerAddress> sources, CompletableFuture<Boolean> refreshed) {
        SlotMap before = map;
        return CompletableFuture.allOf(
                sources.stream().map(server -> read(server, before, refreshed)).toArray(CompletableFuture<?>[]::new));
    }

    private CompletableFuture<Void> read(ServerAddress server, SlotMap before, CompletableFuture<Boolean> refreshed) {
        return sessions.apply(server)
                .send(List.of("CLUSTER", "SLOTS"))
                .thenAccept(reply -> {
                    SlotMap fresh = SlotMap.of(RedisReplies.list(reply), server, addresses);
                    if (!fresh.isUsable()) {
                        failure = reason(reply);
                    } else if (!closed) {
                        use(fresh, before);
                        refreshed.complete(true);
                    }
                })
                .toCompletableFuture();
    }

    /**
     * Uses the first map that differs from the one before the request. A master that is cut off from the others, and
     * was replaced, goes on naming itself.
     */
    private void use(SlotMap fresh, SlotMap before) {
        if (!fresh.equals(before)) {
            preparation.accept(fresh.servers());
            replace(before, fresh);
        }
    }

    private synchronized void replace(SlotMap before, SlotMap fresh) {
        if (map.equals(before)) {
            map = fresh;
        }
    }

    private static String reason(RedisReply reply) {
        if (reply instanceof RedisReply.ServerError error && error.message().startsWith("NOPERM")) {
            return ": the user may not run CLUSTER SLOTS; grant " + RequiredAcl.FOR_CLUSTERS;
        }
        return reply instanceof RedisReply.Value
                ? ""
                : ": " + ReplyParser.failure(reply).cause();
    }

    void close() {
        closed = true;
    }
}
