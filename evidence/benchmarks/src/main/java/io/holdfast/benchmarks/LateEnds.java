package io.holdfast.benchmarks;

import io.holdfast.benchmarks.figures.Spread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** The delays with which many waits ended after their common limit. Thread-safe. */
final class LateEnds {

    /** A quarter of the usual size, and several times what the library needs, also before its code is compiled. */
    private static final int SMALL_STACK = 1 << 18;

    private static final long EARLY_NANOS = 100_000_000;

    private final CountDownLatch start = new CountDownLatch(1);
    private final AtomicLongArray lateNanos;
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger timeouts = new AtomicInteger();
    private final CountDownLatch all;
    private volatile long limitNanos;
    private volatile long cpuNanosAtLimit;
    private volatile long cpuNanos;

    LateEnds(int count) {
        this.lateNanos = new AtomicLongArray(count);
        this.all = new CountDownLatch(count);
    }

    /** One wait until the limit, by {@link System#nanoTime}; returns whether it has ended as it should. */
    interface Wait {
        boolean until(long limitNanos) throws Exception;
    }

    /** Begins now: what waits will wait until then. */
    long begin(Duration limit) {
        limitNanos = System.nanoTime() + limit.toNanos();
        start.countDown();
        return limitNanos;
    }

    /** Lets each of so many threads wait. They start before, since to start thousands takes seconds. */
    static LateEnds ofThreads(int count, Duration limit, Wait wait) throws InterruptedException {
        LateEnds ends = new LateEnds(count);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(null, () -> ends.endAfter(wait), "waiter-" + i, SMALL_STACK);
            threads.add(thread);
            thread.start();
        }
        ends.begin(limit);
        ends.await();
        for (Thread thread : threads) {
            thread.join();
        }
        return ends;
    }

    /** The thread lives until all waits have ended: its own end takes longer than what is measured. */
    private void endAfter(Wait wait) {
        boolean timedOut = false;
        try {
            start.await();
            timedOut = wait.until(limitNanos);
        } catch (Exception other) {
            // It is missing in the count.
        } finally {
            end(timedOut);
        }
        try {
            all.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void end(boolean timedOut) {
        int index = ended.getAndIncrement();
        lateNanos.set(index, System.nanoTime() - limitNanos);
        if (timedOut) {
            timeouts.incrementAndGet();
        }
        if (index == lateNanos.length() - 1) {
            cpuNanos = ManyLeases.clientNanos() - cpuNanosAtLimit;
        }
        all.countDown();
    }

    /** Waits until all have ended, and notes what the process has spent at the limit. */
    void await() throws InterruptedException {
        // A little earlier, when all wait and nothing runs: this thread may be late as well.
        TimeUnit.NANOSECONDS.sleep(limitNanos - System.nanoTime() - EARLY_NANOS);
        cpuNanosAtLimit = ManyLeases.clientNanos();
        all.await();
    }

    /** The time of a processor that each wait took from the limit on. */
    long cpuMicrosEach() {
        return cpuNanos / 1000 / lateNanos.length();
    }

    int timeouts() {
        return timeouts.get();
    }

    /** Returns how late a wait ended in ms, so that this share of them was not later. */
    long lateMillis(double share) {
        return (long) Spread.of(IntStream.range(0, lateNanos.length()).mapToDouble(lateNanos::get))
                        .at(share)
                / 1_000_000;
    }
}
