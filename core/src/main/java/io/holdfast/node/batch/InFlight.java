package io.holdfast.node.batch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * A bounded number of asynchronous tasks that have not ended, so that a server that hangs costs bounded memory. A task
 * that cannot begin, because the call throws any exception or error, does not count.
 *
 * <p>Thread-safe. Nothing here blocks.
 */
public final class InFlight {

    private final int bound;
    private final AtomicInteger count = new AtomicInteger();

    /** A task, which ends once. */
    private final class Counted<T> implements BiConsumer<T, Throwable> {

        private final BiConsumer<? super T, ? super Throwable> onEnd;
        /** 1 while the task is counted, else 0. */
        private int counted;

        Counted(BiConsumer<? super T, ? super Throwable> onEnd) {
            this.onEnd = onEnd;
        }

        /** Counts the task, unless there would be too many. */
        synchronized boolean begin() {
            // Otherwise the stack could have room for the beginning and none for the end.
            end();
            boolean fits = count.addAndGet(1) <= bound;
            if (fits) {
                counted = 1;
            } else {
                count.addAndGet(-1);
            }
            return fits;
        }

        synchronized void end() {
            int ended = counted;
            counted = 0;
            count.addAndGet(-ended);
        }

        @Override
        public void accept(T done, Throwable failure) {
            end();
            onEnd.accept(done, failure);
        }
    }

    /**
     * Creates a count of no tasks.
     *
     * @param bound the largest number of tasks
     */
    public InFlight(int bound) {
        this.bound = bound;
    }

    /** Returns the number of tasks that have not ended. */
    public int count() {
        return count.get();
    }

    /**
     * Begins a task, and counts it until it ends.
     *
     * @param excess returns the outcome if there are too many tasks; the task does not begin then
     */
    public <T> CompletionStage<T> run(Supplier<CompletionStage<T>> task, Supplier<T> excess) {
        return run(task, excess, (done, failure) -> {});
    }

    /**
     * Begins a task as {@link #run(Supplier, Supplier)} does.
     *
     * @param onEnd receives the outcome after the task is not counted any more; not called if the task has ended when
     *     the call that begins it returns
     */
    public <T> CompletionStage<T> run(
            Supplier<CompletionStage<T>> task, Supplier<T> excess, BiConsumer<? super T, ? super Throwable> onEnd) {
        Counted<T> counted = new Counted<>(onEnd);
        if (!counted.begin()) {
            return CompletableFuture.completedFuture(excess.get());
        }
        try {
            CompletionStage<T> begun = task.get();
            if (begun.toCompletableFuture().isDone()) {
                counted.end();
                return begun;
            }
            return begun.whenComplete(counted);
        } catch (Throwable failed) {
            counted.end();
            throw failed;
        }
    }
}
