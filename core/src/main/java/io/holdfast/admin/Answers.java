package io.holdfast.admin;

import io.holdfast.node.NodeAnswer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The answers of nodes to an administrator, with a failure as an answer. */
final class Answers {

    private Answers() {}

    /** Asks a node. Returns a stage that never fails: a failure is the error of the answer, also if the node throws. */
    static <T> CompletionStage<NodeAnswer<T>> of(String node, Supplier<CompletionStage<T>> question) {
        return stage(question)
                .handle((value, failure) ->
                        failure == null ? NodeAnswer.of(node, value) : NodeAnswer.failed(node, reason(failure)));
    }

    private static <T> CompletionStage<T> stage(Supplier<CompletionStage<T>> question) {
        try {
            return question.get();
        } catch (RuntimeException | Error thrown) {
            return CompletableFuture.failedFuture(thrown);
        }
    }

    private static String reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return String.valueOf(cause.getMessage());
    }
}
