package io.holdfast.redis.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A connection without a server, on which each command has the same reply. */
public record SameReply(List<?> reply, CompletableFuture<Void> ended) implements RedisConnection {

    /** Creates an open connection. */
    public SameReply(List<?> reply) {
        this(reply, new CompletableFuture<>());
    }

    @Override
    public CompletionStage<RedisReply> send(List<String> command) {
        return CompletableFuture.completedFuture(new RedisReply.Value(reply));
    }

    @Override
    public boolean hasReplied() {
        return true;
    }

    @Override
    public CompletableFuture<Void> close() {
        ended.complete(null);
        return ended;
    }
}
