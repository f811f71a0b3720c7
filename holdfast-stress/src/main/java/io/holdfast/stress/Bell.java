package io.holdfast.stress;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Interrupts threads at a given time, and runs what has to run beside them. */
final class Bell implements AutoCloseable {

    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2, daemons("stress-bell"));
    private final ExecutorService beside = Executors.newCachedThreadPool(daemons("stress-beside"));

    /** What an interrupt may end. */
    interface Attempt<T> {
        T run() throws InterruptedException;
    }

    /** An interrupt that is due. After {@link #stop} it does not come any more, and none is pending. */
    private static final class Ring {

        private final Thread thread = Thread.currentThread();
        private boolean stopped;

        private synchronized void ring() {
            if (!stopped) {
                thread.interrupt();
            }
        }

        private synchronized void stop() {
            stopped = true;
            Thread.interrupted();
        }
    }

    /** Runs it here, and interrupts it after so many microseconds unless it has ended before. */
    <T> T interrupted(int micros, Attempt<T> attempt) throws InterruptedException {
        Ring ring = new Ring();
        timer.schedule(ring::ring, micros, TimeUnit.MICROSECONDS);
        try {
            return attempt.run();
        } finally {
            ring.stop();
        }
    }

    /** Runs it on another thread. */
    Future<?> beside(Runnable task) {
        return beside.submit(task);
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
        beside.shutdownNow();
    }
}
