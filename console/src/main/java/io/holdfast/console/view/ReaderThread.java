package io.holdfast.console.view;

import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Repeats a task on a thread of its own while a viewer looks. Thread-safe. */
final class ReaderThread {

    private static final long NANOS = 1_000_000;

    private final String name;
    private final long intervalMillis;
    private final BooleanSupplier isWatched;
    private final Runnable task;
    private @Nullable Thread thread;
    private boolean isClosed;

    ReaderThread(String name, long intervalMillis, BooleanSupplier isWatched, Runnable task) {
        this.name = name;
        this.intervalMillis = intervalMillis;
        this.isWatched = isWatched;
        this.task = task;
    }

    /** Starts the thread, unless it runs. */
    synchronized void start() {
        if (thread == null && !isClosed) {
            thread = new Thread(this::run, name);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        while (goesOn()) {
            try {
                task.run();
            } catch (RuntimeException | Error failure) {
                System.getLogger("io.holdfast.Console").log(System.Logger.Level.WARNING, "A reading failed", failure);
            }
            pause();
        }
    }

    private synchronized boolean goesOn() {
        if (!isClosed && isWatched.getAsBoolean()) {
            return true;
        }
        thread = null;
        return false;
    }

    private synchronized void pause() {
        long end = System.nanoTime() + intervalMillis * NANOS;
        try {
            for (long left = intervalMillis; left > 0 && !isClosed; left = (end - System.nanoTime()) / NANOS) {
                wait(left);
            }
        } catch (InterruptedException e) {
            isClosed = true;
        }
    }

    /** Ends the thread after its present task. */
    void close() {
        Thread running;
        synchronized (this) {
            isClosed = true;
            notifyAll();
            running = thread;
        }
        try {
            if (running != null) {
                running.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
