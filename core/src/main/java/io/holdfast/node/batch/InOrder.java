package io.holdfast.node.batch;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs asynchronous tasks one after another, in the order of the calls, on the threads of the callers. One thread at a
 * time runs the tasks of all.
 *
 * <p>That thread may fail in a task of another caller: its stack is full, or no memory is left. The next caller then
 * goes on: it fails the task that has begun, and runs the later ones.
 *
 * <p>Thread-safe. Nothing here blocks.
 */
public final class InOrder {

    private static final AtomicIntegerFieldUpdater<InOrder> RUNNERS =
            AtomicIntegerFieldUpdater.newUpdater(InOrder.class, "runners");

    /** The tasks that have not ended. Only the runner removes them. */
    private final Queue<Task<?>> tasks = new ConcurrentLinkedQueue<>();

    /** The number of threads that run tasks, at most 1. A field, as its reset needs no room on the stack. */
    private volatile int runners;

    /** A task and its progress, which only the runner changes. */
    private static final class Task<T> {

        private final Supplier<CompletionStage<T>> task;
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private boolean hasBegun;
        /** The outcome of a task that has begun; null if its thread has failed. */
        private volatile @Nullable CompletableFuture<T> outcome;

        Task(Supplier<CompletionStage<T>> task) {
            this.task = task;
        }

        /** Returns {@code false} while the outcome is awaited. */
        boolean canAdvance() {
            CompletableFuture<T> awaited = outcome;
            return awaited == null || awaited.isDone();
        }

        /** Begins or ends the task. Returns {@code true} if it has ended. */
        boolean advance(InOrder order) {
            if (!hasBegun) {
                hasBegun = true;
                begin(order);
            } else if (outcome == null) {
                result.completeExceptionally(new IllegalStateException("the thread that sent it has failed"));
                return true;
            }
            if (!canAdvance()) {
                return false;
            }
            end();
            return true;
        }

        private void begin(InOrder order) {
            try {
                CompletableFuture<T> begun = task.get().toCompletableFuture();
                outcome = begun;
                if (!begun.isDone()) {
                    begun.whenComplete((done, failure) -> {
                        end();
                        order.resume();
                    });
                }
            } catch (VirtualMachineError failed) {
                // The thread is at fault, and would fail in the later tasks too.
                result.completeExceptionally(failed);
                throw failed;
            } catch (RuntimeException | Error broken) {
                outcome = CompletableFuture.failedFuture(broken);
            }
        }

        /** Passes the outcome on. Has no effect the second time. */
        private void end() {
            CompletableFuture<T> ended = outcome;
            if (ended != null) {
                ended.whenComplete((value, failure) -> {
                    if (failure == null) {
                        result.complete(value);
                    } else {
                        result.completeExceptionally(failure);
                    }
                });
            }
        }
    }

    /** Creates an order without tasks. */
    public InOrder() {}

    /**
     * Runs the task when those of earlier calls have ended. A task that a task adds runs after it.
     *
     * @return the outcome of the task
     * @throws VirtualMachineError if this thread fails in a task, its own or that of another caller
     */
    public <T> CompletionStage<T> run(Supplier<CompletionStage<T>> task) {
        Task<T> added = new Task<>(task);
        tasks.add(added);
        resume();
        return added.result;
    }

    /**
     * Makes the call when the tasks that were added earlier have ended, at once if there are none. The call has ended
     * when it returns: what comes next does not wait for its stage.
     *
     * @return the stage that the call returns
     * @throws VirtualMachineError as {@link #run}
     */
    public <T> CompletionStage<T> call(Supplier<CompletionStage<T>> call) {
        if (tasks.isEmpty() && RUNNERS.compareAndSet(this, 0, 1)) {
            CompletionStage<T> begun = null;
            try {
                // A task that was added before the mark was set has to run first.
                begun = tasks.isEmpty() ? outcome(call) : null;
            } finally {
                runners = 0;
            }
            resume();
            if (begun != null) {
                return begun;
            }
        }
        CompletionStage<CompletionStage<T>> later = run(() -> CompletableFuture.completedFuture(call.get()));
        return later.thenCompose(stage -> stage);
    }

    private static <T> CompletionStage<T> outcome(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (VirtualMachineError failed) {
            throw failed;
        } catch (RuntimeException | Error broken) {
            return CompletableFuture.failedFuture(broken);
        }
    }

    /** Runs what a thread that failed has left. Has no effect while another thread runs the tasks. */
    public void resume() {
        while (runners == 0 && canAdvance() && RUNNERS.compareAndSet(this, 0, 1)) {
            try {
                advance();
            } finally {
                runners = 0;
            }
        }
    }

    private boolean canAdvance() {
        Task<?> first = tasks.peek();
        return first != null && first.canAdvance();
    }

    private void advance() {
        for (Task<?> first = tasks.peek(); first != null && first.advance(this); first = tasks.peek()) {
            tasks.remove();
        }
    }
}
