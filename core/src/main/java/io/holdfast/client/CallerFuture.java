package io.holdfast.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The future that a caller of an asynchronous method receives, and may complete or cancel itself. */
public final class CallerFuture {

    private CallerFuture() {}

    /**
     * Completes the future of a caller as the other one does, with a failure that is not wrapped.
     *
     * @param release receives a result that the caller does not want any more
     */
    public static <T> void complete(
            CompletableFuture<T> wanted, CompletableFuture<T> result, Consumer<? super T> release) {
        result.whenComplete((value, failure) -> {
            if (!complete(wanted, value, failure) && failure == null) {
                release.accept(value);
            }
        });
    }

    /** Completes the future, with a failure that is not wrapped. Returns {@code false} if it was complete before. */
    static <T> boolean complete(CompletableFuture<T> future, T value, @Nullable Throwable failure) {
        if (failure == null) {
            return future.complete(value);
        }
        // A stage wraps the failure of the stage before it, but callers look for its type.
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return future.completeExceptionally(cause == null ? failure : cause);
    }
}
