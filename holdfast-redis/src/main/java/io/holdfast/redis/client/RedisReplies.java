package io.holdfast.redis.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads replies, and joins the replies to several commands. */
public final class RedisReplies {

    private RedisReplies() {}

    /** Returns a stage that completes with all replies, in the same order, when the last one is there. */
    public static CompletionStage<List<RedisReply>> all(List<CompletionStage<RedisReply>> replies) {
        List<CompletableFuture<RedisReply>> futures =
                replies.stream().map(CompletionStage::toCompletableFuture).toList();
        return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }

    /** Returns the first reply that is no value, or null if all are values. */
    public static @Nullable RedisReply firstFailure(List<RedisReply> replies) {
        return replies.stream()
                .filter(reply -> !(reply instanceof RedisReply.Value))
                .findFirst()
                .orElse(null);
    }

    /** Returns the list that was replied, or an empty list if the reply is anything else. */
    public static List<?> list(RedisReply reply) {
        return reply instanceof RedisReply.Value value && value.value() instanceof List<?> list ? list : List.of();
    }

    /**
     * Returns the server's clock in microseconds since 1970 from the reply to {@code TIME}, or 0 if it is anything
     * else.
     */
    public static long micros(RedisReply time) {
        List<?> now = list(time);
        return now.size() == 2
                ? Long.parseLong(now.get(0).toString()) * 1_000_000
                        + Long.parseLong(now.get(1).toString())
                : 0;
    }

    /** Returns the number that was replied, or 0 if the reply is anything else. */
    public static long number(RedisReply reply) {
        return reply instanceof RedisReply.Value value && value.value() instanceof Long number ? number : 0;
    }
}
