package io.holdfast.stress.client;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Interrupts threads after a delay, and runs tasks on background threads. */
public final class BackgroundThreads implements AutoCloseable {

    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2, daemons("stress-interrupter"));
    private final ExecutorService background = Executors.newCachedThreadPool(daemons("stress-background"));

    /** An action that an interrupt may end. */
    public interface InterruptibleAction<T> {
        T run() throws InterruptedException;
    }

    /**
     * A scheduled interrupt of the current thread. After {@link #cancel} it is not pending and does not happen any
     * more.
     */
    private static final class ScheduledInterrupt {

        private final Thread thread = Thread.currentThread();
        private boolean cancelled;

        private synchronized void fire() {
            if (!cancelled) {
                thread.interrupt();
            }
        }

        private synchronized void cancel() {
            cancelled = true;
            Thread.interrupted();
        }
    }

    /** Runs the action on this thread, and interrupts it after the delay unless it has ended. */
    public <T> T interrupted(int micros, InterruptibleAction<T> action) throws InterruptedException {
        ScheduledInterrupt interrupt = new ScheduledInterrupt();
        timer.schedule(interrupt::fire, micros, TimeUnit.MICROSECONDS);
        try {
            return action.run();
        } finally {
            interrupt.cancel();
        }
    }

    /** Runs the task on a background thread. */
    public Future<?> submit(Runnable task) {
        return background.submit(task);
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public void close() {
        timer.shutdownNow();
        background.shutdownNow();
    }
}
