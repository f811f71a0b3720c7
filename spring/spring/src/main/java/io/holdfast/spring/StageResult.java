package io.holdfast.spring;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The future that the caller of a method gets for the stage that the method has returned. */
final class StageResult {

    private StageResult() {}

    /**
     * Returns a future that completes as the stage does, but fails if the lease was lost before. Its cancellation
     * cancels the stage.
     *
     * @param end called when the stage has completed, with the failure if there is one; the future waits for that which
     *     it returns, and fails with the loss that it returns
     */
    static CompletableFuture<?> of(
            CompletionStage<?> stage,
            LockedMethod method,
            Lease lease,
            Function<@Nullable Throwable, CompletableFuture<@Nullable LeaseLostException>> end) {
        CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            Throwable thrown = failure == null ? method.loss(lease) : failure;
            end.apply(thrown).whenComplete((lost, none) -> {
                if (thrown != null) {
                    result.completeExceptionally(thrown);
                } else {
                    complete(result, value, method, lost);
                }
            });
        });
        result.whenComplete((value, failure) -> {
            if (result.isCancelled() && stage instanceof CompletableFuture<?> future) {
                future.cancel(true);
            }
        });
        return result;
    }

    private static void complete(
            CompletableFuture<@Nullable Object> result,
            @Nullable Object value,
            LockedMethod method,
            @Nullable LeaseLostException atRelease) {
        try {
            method.report(atRelease);
            result.complete(value);
        } catch (LeaseLostException lost) {
            result.completeExceptionally(lost);
        }
    }
}
