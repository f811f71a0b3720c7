package io.holdfast.redis.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A connection without a server, on which each command has the same reply.
 *
 * @param reply null if there is none
 */
public record SameReply(@Nullable List<?> reply, CompletableFuture<Void> ended) implements RedisConnection {

    /** Creates an open connection. */
    public SameReply(List<?> reply) {
        this(reply, new CompletableFuture<>());
    }

    /** Returns an open connection whose server hangs. */
    public static SameReply none() {
        return new SameReply(null, new CompletableFuture<>());
    }

    @Override
    public CompletionStage<RedisReply> send(List<String> command) {
        return reply == null
                ? new CompletableFuture<>()
                : CompletableFuture.completedFuture(new RedisReply.Value(reply));
    }

    @Override
    public boolean hasReplied() {
        return reply != null;
    }

    @Override
    public CompletableFuture<Void> close() {
        ended.complete(null);
        return ended;
    }
}
