package io.holdfast.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The answers to several commands that were sent one after another. */
final class Answers {

    private Answers() {}

    /** All of them, when all are there. */
    static CompletionStage<List<Answer>> all(List<CompletionStage<Answer>> answers) {
        List<CompletableFuture<Answer>> futures =
                answers.stream().map(CompletionStage::toCompletableFuture).toList();
        return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }

    /** The first that is no value; or null. */
    static @Nullable Answer firstFailure(List<Answer> answers) {
        return answers.stream()
                .filter(answer -> !(answer instanceof Answer.Value))
                .findFirst()
                .orElse(null);
    }

    static List<?> list(Answer answer) {
        return answer instanceof Answer.Value value && value.value() instanceof List<?> list ? list : List.of();
    }

    /** The clock that {@code TIME} tells, in microseconds since 1970; 0: it does not. */
    static long micros(Answer time) {
        List<?> now = list(time);
        return now.size() == 2
                ? Long.parseLong(now.get(0).toString()) * 1_000_000
                        + Long.parseLong(now.get(1).toString())
                : 0;
    }

    static long number(Answer answer) {
        return answer instanceof Answer.Value value && value.value() instanceof Long number ? number : 0;
    }
}
