package io.holdfast.redis.transaction;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Runs asynchronous tasks one after another, in the order of their submission. Thread-safe. */
final class SerialExecutor {

    private final AtomicInteger pending = new AtomicInteger();
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    /** Returns the number of tasks that have not ended yet. */
    int pending() {
        return pending.get();
    }

    /** Runs the task when all tasks that were submitted before have ended. */
    synchronized <T> CompletionStage<T> submit(Supplier<CompletionStage<T>> task) {
        pending.incrementAndGet();
        CompletableFuture<T> result = last.handle((done, failure) -> 0).thenCompose(ignored -> task.get());
        last = result;
        return result.whenComplete((done, failure) -> pending.decrementAndGet());
    }
}
