package io.holdfast.console;

import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that serve requests. A client that neither sends the rest of its request nor receives its answer blocks
 * one of them, so its connection is closed: after the limit, and after a tenth of it if other requests wait for a
 * thread. Thread-safe.
 */
final class RequestThreads implements Executor {

    private static final int CHECKS_PER_LIMIT = 10;
    private static final long IDLE_SECONDS = 5;

    private final Duration limit;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Map<Thread, Transfer> transfers = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor pool;
    private final ScheduledThreadPoolExecutor checks;

    RequestThreads(int most, Duration limit) {
        this.limit = limit;
        pool = new ThreadPoolExecutor(
                most,
                most,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> thread(task, "holdfast-console-http"));
        pool.allowCoreThreadTimeOut(true);
        checks = new ScheduledThreadPoolExecutor(1, task -> thread(task, "holdfast-console-checks"));
        long interval = briefLimit().toNanos();
        checks.scheduleWithFixedDelay(this::endSlow, interval, interval, TimeUnit.NANOSECONDS);
    }

    private Duration briefLimit() {
        return Durations.part(limit, CHECKS_PER_LIMIT);
    }

    private Thread thread(Runnable task, String name) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } finally {
                        threads.remove(Thread.currentThread());
                    }
                },
                name);
        thread.setDaemon(true);
        threads.add(thread);
        return thread;
    }

    /** Runs a task that receives a request and answers it. */
    @Override
    public void execute(Runnable task) {
        pool.execute(() -> {
            Thread thread = Thread.currentThread();
            Transfer transfer = new Transfer(thread);
            transfer.begin();
            transfers.put(thread, transfer);
            try {
                task.run();
            } finally {
                transfers.remove(thread);
                transfer.end();
            }
        });
    }

    /** Returns what the present task reads and writes. */
    Transfer transfer() {
        return Objects.requireNonNull(transfers.get(Thread.currentThread()));
    }

    private void endSlow() {
        Duration longest = pool.getQueue().isEmpty() ? limit : briefLimit();
        transfers.values().forEach(transfer -> transfer.endIfSlow(longest));
    }

    /** Ends the tasks and the threads. */
    void close() throws InterruptedException {
        checks.shutdownNow();
        pool.shutdownNow();
        for (Thread thread : List.copyOf(threads)) {
            thread.join(TimeUnit.SECONDS.toMillis(10));
        }
    }
}
