package io.holdfast.redis.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The answers to several commands that were sent one after another. */
public final class RedisReplies {

    private RedisReplies() {}

    /** All of them, when all are there. */
    public static CompletionStage<List<RedisReply>> all(List<CompletionStage<RedisReply>> answers) {
        List<CompletableFuture<RedisReply>> futures =
                answers.stream().map(CompletionStage::toCompletableFuture).toList();
        return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }

    /** The first that is no value; or null. */
    public static @Nullable RedisReply firstFailure(List<RedisReply> answers) {
        return answers.stream()
                .filter(answer -> !(answer instanceof RedisReply.Value))
                .findFirst()
                .orElse(null);
    }

    public static List<?> list(RedisReply answer) {
        return answer instanceof RedisReply.Value value && value.value() instanceof List<?> list ? list : List.of();
    }

    /** The clock that {@code TIME} tells, in microseconds since 1970; 0: it does not. */
    public static long micros(RedisReply time) {
        List<?> now = list(time);
        return now.size() == 2
                ? Long.parseLong(now.get(0).toString()) * 1_000_000
                        + Long.parseLong(now.get(1).toString())
                : 0;
    }

    public static long number(RedisReply answer) {
        return answer instanceof RedisReply.Value value && value.value() instanceof Long number ? number : 0;
    }
}
