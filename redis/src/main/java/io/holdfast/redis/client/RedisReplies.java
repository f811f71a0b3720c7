package io.holdfast.redis.client;

import io.holdfast.time.ThreadWait;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Reads replies, and joins the replies to several commands. */
public final class RedisReplies {

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int MICRO_DIGITS = 6;
    /** Enough for nine thousand years, and few enough for fencing tokens. */
    private static final int SECOND_DIGITS = 9 + 1;

    private RedisReplies() {}

    /** Returns a stage that completes with all replies, in the same order, when the last one is there. */
    public static <T> CompletionStage<List<T>> all(List<CompletionStage<T>> replies) {
        List<CompletableFuture<T>> futures =
                replies.stream().map(CompletionStage::toCompletableFuture).toList();
        return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> futures.stream().map(ThreadWait::resultOf).toList());
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
                ? digits(now.get(0), SECOND_DIGITS) * MICROS_PER_SECOND + digits(now.get(1), MICRO_DIGITS)
                : 0;
    }

    private static long digits(@Nullable Object number, int most) {
        String digits = String.valueOf(number);
        return digits.matches("\\d{1," + most + "}") ? Long.parseLong(digits) : 0;
    }

    /** Returns the number that was replied, or 0 if the reply is anything else. */
    public static long number(RedisReply reply) {
        return reply instanceof RedisReply.Value value && value.value() instanceof Long number ? number : 0;
    }
}
