package io.holdfast.admin;

import io.holdfast.node.NodeAnswer;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** The answers of nodes to an administrator, with a failure as an answer. */
final class Answers {

    private Answers() {}

    /** Returns a stage that never fails: a failure is the error of the answer. */
    static <T> CompletionStage<NodeAnswer<T>> of(String node, CompletionStage<T> stage) {
        return stage.handle((value, failure) ->
                failure == null ? NodeAnswer.of(node, value) : NodeAnswer.failed(node, reason(failure)));
    }

    private static String reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return String.valueOf(cause.getMessage());
    }
}
