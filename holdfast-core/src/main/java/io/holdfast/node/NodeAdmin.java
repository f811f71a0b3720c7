package io.holdfast.node;

import io.holdfast.time.Time;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The questions that an administrator may ask a node, beside its votes. Each stage completes in the end; the caller sets its own deadline.
 * A stage that fails does so with an exception whose message says why, in one line for a person.
 */
public interface NodeAdmin {

    /** Returns the state of one lock. */
    default CompletionStage<NodeLockStatus> inspect(String resource) {
        return unable();
    }

    /** Returns the names of the locks that the node knows, in no order. A lock that is free may be among them. */
    default CompletionStage<List<String>> names() {
        return unable();
    }

    /** Removes the lock from its holder. The result is {@code true} if the lock was held. */
    default CompletionStage<Boolean> evict(String resource) {
        return unable();
    }

    /** Stores a note about the holder of the claim, which {@link #inspect} returns. An empty text deletes the note. */
    default CompletionStage<Boolean> annotate(Claim held, String text) {
        return unable();
    }

    /**
     * Examines whether the node is fit to vote. Takes about a second.
     *
     * @param time the clocks of this process, with which the node's clock is compared
     */
    default CompletionStage<Diagnosis> examine(Time time) {
        return CompletableFuture.completedFuture(new Diagnosis(Map.of(), List.of()));
    }

    private static <T> CompletionStage<T> unable() {
        return CompletableFuture.failedFuture(new IllegalStateException("a node of this kind does not support this"));
    }
}
