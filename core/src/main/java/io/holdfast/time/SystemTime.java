package io.holdfast.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clocks and threads of this machine. No other class of core starts a thread; only {@link MachineClock} and {@link
 * ThreadWait} read a clock as well.
 *
 * <p>All its threads are daemons. One thread serves every timer, so the task of a timer must be short; a task that may
 * block is passed to {@link #execute}. An exception that escapes a task is logged and has no other effect.
 *
 * <p>Thread-safe.
 */
public final class SystemTime implements Time, AutoCloseable {

    /** The interval at which the timer's thread wakes while timers are being set; see {@link #keepAwake}. */
    private static final Duration TICK = Duration.ofMillis(10);

    /** The time to the next attempt if no thread can be started for a task. */
    private static final Duration POSTPONEMENT = Duration.ofMillis(10);

    private static final long MICROS_PER_SECOND = 1_000_000;

    private final ScheduledThreadPoolExecutor timers;
    private final AtomicBoolean ticking = new AtomicBoolean();
    private volatile boolean busy;
    private final ExecutorService callbacks;
    /** The tasks for which no thread could be started. */
    private final Queue<Runnable> postponed = new ConcurrentLinkedQueue<>();

    /** Starts the timer's thread; others are started when they are needed. */
    public SystemTime() {
        this(threads("holdfast-callback"));
    }

    SystemTime(ThreadFactory callbackThreads) {
        timers = new ScheduledThreadPoolExecutor(1, threads("holdfast-timer"));
        timers.setRemoveOnCancelPolicy(true);
        timers.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        timers.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        // If no thread can be started later, scheduled tasks would not run.
        timers.prestartCoreThread();
        callbacks = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                callbackThreads,
                (task, closed) -> task.run());
    }

    @Override
    public Moment now() {
        Instant wall = Instant.now();
        return new Moment(System.nanoTime(), wall.getEpochSecond() * MICROS_PER_SECOND + wall.getNano() / 1_000);
    }

    @Override
    public @Nullable MachineReading machineReading() {
        return MachineClock.read();
    }

    /** {@inheritDoc} After {@link #close()} the task is dropped. */
    @Override
    public Timer schedule(Duration delay, Runnable task) {
        keepAwake();
        Future<?> future = timers.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    /** {@inheritDoc} Needs no memory for another run. After {@link #close()} the task is dropped. */
    @Override
    public void repeat(Duration interval, BooleanSupplier task) {
        Repetition repetition = new Repetition(task);
        repetition.future =
                timers.scheduleWithFixedDelay(repetition, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static final class Repetition implements Runnable {

        private final BooleanSupplier task;
        private volatile @Nullable Future<?> future;
        private boolean over;

        Repetition(BooleanSupplier task) {
            this.task = task;
        }

        @Override
        public void run() {
            try {
                over = over || !task.getAsBoolean();
                Future<?> known = future;
                if (over && known != null) {
                    known.cancel(false);
                }
            } catch (Throwable failure) {
                log(failure);
            }
        }
    }

    /**
     * Keeps a tick scheduled that is due before other timers. Otherwise each new timer that is due first wakes the
     * timer's thread, which costs two context switches for each round. The tick ends when no timer is set any more.
     */
    private void keepAwake() {
        if (!busy) {
            busy = true;
        }
        if (!ticking.get() && ticking.compareAndSet(false, true)) {
            timers.schedule(this::tick, TICK.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void tick() {
        if (busy) {
            busy = false;
            timers.schedule(this::tick, TICK.toNanos(), TimeUnit.NANOSECONDS);
        } else {
            ticking.set(false);
        }
    }

    /**
     * {@inheritDoc} Never throws: if no thread can be started, the task runs as soon as one can be. After {@link
     * #close()} the task runs on the calling thread.
     */
    @Override
    public void execute(Runnable task) {
        start(guarded(task));
    }

    private void start(Runnable task) {
        try {
            callbacks.execute(task);
        } catch (Throwable noThread) {
            postponed.add(task);
            timers.schedule(this::startPostponed, POSTPONEMENT.toNanos(), TimeUnit.NANOSECONDS);
            if (timers.isShutdown()) {
                runPostponed();
            }
        }
    }

    private void startPostponed() {
        Runnable task = postponed.poll();
        if (task != null) {
            start(task);
        }
    }

    private void runPostponed() {
        for (Runnable task = postponed.poll(); task != null; task = postponed.poll()) {
            task.run();
        }
    }

    /** Drops all scheduled tasks; tasks that were passed to {@link #execute} still run to their end. */
    @Override
    public void close() {
        timers.shutdown();
        callbacks.shutdown();
        runPostponed();
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable failure) {
                log(failure);
            }
        };
    }

    private static void log(Throwable failure) {
        try {
            System.getLogger(SystemTime.class.getName())
                    .log(System.Logger.Level.ERROR, "A task failed; the library goes on without it", failure);
        } catch (Throwable notLogged) {
            // The log may need memory that the task has not found. Thrown on, this would end a repetition.
        }
    }

    private static ThreadFactory threads(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
