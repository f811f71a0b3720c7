package io.holdfast.client;

import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Runs the callbacks of one client on the executor of the user, or on threads of the client if there is none, if it
 * rejects a task, or if it would run the task on the calling thread. Never throws, and never drops a task. Logs what a
 * task throws.
 *
 * @param executor null: threads of the client
 */
public record CallbackRunner(@Nullable Executor executor, Time time) implements Executor {

    private static final Duration THREAD_RETRY = Duration.ofMillis(100);

    @Override
    public void execute(Runnable task) {
        if (executor == null) {
            executeHere(task);
            return;
        }
        Thread caller = Thread.currentThread();
        AtomicBoolean returned = new AtomicBoolean();
        try {
            executor.execute(() -> {
                // An executor may run what it cannot queue on the calling thread, which must not be blocked.
                if (Thread.currentThread().equals(caller) && !returned.get()) {
                    executeHere(task);
                } else {
                    guarded(task);
                }
            });
        } catch (RuntimeException | Error rejected) {
            executeHere(task);
        } finally {
            returned.set(true);
        }
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable failure) {
            ClientLog.failed(failure);
        }
    }

    /** Runs the task on a thread of its own. If none can be started, tries again until one can. */
    private void executeHere(Runnable task) {
        try {
            time.execute(() -> guarded(task));
        } catch (RuntimeException | Error noThread) {
            time.schedule(THREAD_RETRY, () -> executeHere(task));
        }
    }
}
