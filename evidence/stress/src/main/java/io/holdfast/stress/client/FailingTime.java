package io.holdfast.stress.client;

import io.holdfast.time.MachineReading;
import io.holdfast.time.Moment;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The time of this machine, in which a thread may let its waits end by an error, as {@code Thread.stop} ended them.
 *
 * <p>Thread-safe.
 */
public final class FailingTime implements Time, AutoCloseable {

    /** The longest wait of the thread; none: the waits of the thread do not fail. */
    private static final ThreadLocal<Duration> LIMIT = new ThreadLocal<>();

    private final SystemTime time = new SystemTime();

    /** An error that the library cannot expect. */
    public static final class Stop extends Error {

        private static final long serialVersionUID = 1;

        Stop() {
            super("injected");
        }
    }

    /**
     * Runs an action on this thread. Each of its waits in the library ends by {@link Stop}, after this time at the
     * latest.
     */
    public static <T> T failing(Duration limit, BackgroundThreads.InterruptibleAction<T> action)
            throws InterruptedException {
        LIMIT.set(limit);
        try {
            return action.run();
        } finally {
            LIMIT.remove();
        }
    }

    @Override
    public boolean await(CompletableFuture<?> future, Duration limit) throws InterruptedException {
        Duration bound = LIMIT.get();
        if (bound == null) {
            return time.await(future, limit);
        }
        time.await(future, bound);
        throw new Stop();
    }

    @Override
    public Moment now() {
        return time.now();
    }

    @Override
    public @Nullable MachineReading machineReading() {
        return time.machineReading();
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        return time.schedule(delay, task);
    }

    @Override
    public void execute(Runnable task) {
        time.execute(task);
    }

    @Override
    public void close() {
        time.close();
    }
}
