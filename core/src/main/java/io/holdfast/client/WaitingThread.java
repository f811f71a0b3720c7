package io.holdfast.client;

import io.holdfast.time.Durations;
import io.holdfast.time.ThreadWait;
import io.holdfast.time.Time;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The thread of a caller that waits for a lock, as the executor of the only task that its wait may have at a time. A
 * task that arrives when the wait is over does not run.
 */
public final class WaitingThread implements Executor {

    private final Time time;
    private volatile CompletableFuture<Runnable> next = new CompletableFuture<>();

    /** Creates the executor of the calling thread. */
    public WaitingThread(Time time) {
        this.time = time;
    }

    @Override
    public void execute(Runnable task) {
        next.complete(task);
    }

    /** Blocks the thread until the future is complete, and runs the tasks that arrive before. */
    public void await(CompletableFuture<?> result) throws InterruptedException {
        while (!result.isDone()) {
            CompletableFuture<Runnable> task = next;
            time.await(CompletableFuture.anyOf(task, result), Durations.FOREVER);
            if (task.isDone()) {
                // Before it runs, since it may lead to another one.
                next = new CompletableFuture<>();
                ThreadWait.resultOf(task).run();
            }
        }
    }
}
