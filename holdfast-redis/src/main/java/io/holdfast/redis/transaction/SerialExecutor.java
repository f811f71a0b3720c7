package io.holdfast.redis.transaction;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** One after another, in the order in which they were asked: what needs a connection to itself for several commands. Thread-safe. */
final class SerialExecutor {

    private final AtomicInteger waiting = new AtomicInteger();
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    /** How many have not ended yet. */
    int waiting() {
        return waiting.get();
    }

    /** Runs the task when all that were asked before have ended. */
    synchronized <T> CompletionStage<T> next(Supplier<CompletionStage<T>> task) {
        waiting.incrementAndGet();
        CompletableFuture<T> turn = last.handle((done, failure) -> 0).thenCompose(ignored -> task.get());
        last = turn;
        return turn.whenComplete((done, failure) -> waiting.decrementAndGet());
    }
}
