package io.holdfast.stress.witness;

import java.util.concurrent.locks.LockSupport;

/** Detects pauses of the machine with a thread that runs every 2 ms and measures how late it is. */
public final class PauseDetector implements AutoCloseable {

    private static final long PERIOD_NANOS = 2_000_000;
    private static final int SAMPLES = 8_192;

    private final long[] times = new long[SAMPLES];
    private final long[] lengths = new long[SAMPLES];
    private int next;
    private long longest;
    private volatile boolean closed;

    private PauseDetector() {}

    public static PauseDetector start() {
        PauseDetector detector = new PauseDetector();
        Thread thread = new Thread(detector::measure, "stress-pause-detector");
        thread.setDaemon(true);
        thread.start();
        return detector;
    }

    private void measure() {
        long last = System.nanoTime();
        while (!closed) {
            LockSupport.parkNanos(PERIOD_NANOS);
            long now = System.nanoTime();
            record(now, now - last);
            last = now;
        }
    }

    private synchronized void record(long now, long length) {
        times[next] = now;
        lengths[next] = length;
        next = (next + 1) % SAMPLES;
        longest = Math.max(longest, length);
    }

    /** Returns the longest pause since the given {@link System#nanoTime}, within the last 16 s. */
    public synchronized long longestNanosSince(long since) {
        long longestSince = 0;
        for (int i = 0; i < SAMPLES; i++) {
            if (lengths[i] > 0 && times[i] - since > 0) {
                longestSince = Math.max(longestSince, lengths[i]);
            }
        }
        return longestSince;
    }

    /**
     * Returns the sum of all delays since then, within the last 16 s: how long the machine kept a thread from running.
     */
    public synchronized long lateNanosSince(long since) {
        long late = 0;
        for (int i = 0; i < SAMPLES; i++) {
            if (lengths[i] > 0 && times[i] - since > 0) {
                late += Math.max(0, lengths[i] - PERIOD_NANOS);
            }
        }
        return late;
    }

    public synchronized long longestMillis() {
        return longest / 1_000_000;
    }

    @Override
    public void close() {
        closed = true;
    }
}
