package io.holdfast.node.batch;

import java.util.Collections;
import java.util.List;
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

    /** Tasks that were counted together. Each ends once. */
    private final class Counted<T> implements BiConsumer<T, Throwable> {

        private final BiConsumer<? super T, ? super Throwable> onEnd;
        private int left;

        Counted(BiConsumer<? super T, ? super Throwable> onEnd) {
            this.onEnd = onEnd;
        }

        /** Counts tasks, unless there would be too many. */
        synchronized boolean begin(int tasks) {
            // Otherwise the stack could have room for the beginning and none for the end.
            end(0);
            boolean fits = count.addAndGet(tasks) <= bound;
            if (fits) {
                left = tasks;
            } else {
                count.addAndGet(-tasks);
            }
            return fits;
        }

        synchronized void end(int tasks) {
            int ended = Math.min(left, tasks);
            left -= ended;
            count.addAndGet(-ended);
        }

        @Override
        public void accept(T done, Throwable failure) {
            end(1);
            onEnd.accept(done, failure);
        }

        CompletionStage<T> follow(CompletionStage<T> begun) {
            if (begun.toCompletableFuture().isDone()) {
                end(1);
                return begun;
            }
            return begun.whenComplete(this);
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
        if (!counted.begin(1)) {
            return CompletableFuture.completedFuture(excess.get());
        }
        try {
            return counted.follow(task.get());
        } catch (Throwable failed) {
            counted.end(1);
            throw failed;
        }
    }

    /**
     * Begins several tasks in one call, and counts each until it ends.
     *
     * @param tasks their number, which is that of the stages
     * @param excess returns the outcome of each if there are too many tasks; none begins then
     * @param onEnd as that of {@link #run(Supplier, Supplier, BiConsumer)}, for each task
     */
    public <T> List<CompletionStage<T>> runAll(
            int tasks,
            Supplier<List<CompletionStage<T>>> begin,
            Supplier<T> excess,
            BiConsumer<? super T, ? super Throwable> onEnd) {
        Counted<T> counted = new Counted<>(onEnd);
        if (!counted.begin(tasks)) {
            return Collections.nCopies(tasks, CompletableFuture.completedFuture(excess.get()));
        }
        try {
            return begin.get().stream().map(counted::follow).toList();
        } catch (Throwable failed) {
            counted.end(tasks);
            throw failed;
        }
    }
}
