package io.holdfast.stress.witness;

import java.util.concurrent.locks.LockSupport;

/** Notices when the machine pauses: a thread that wants to run every 2 ms, and how late it was. */
public final class Pulse implements AutoCloseable {

    private static final long BEAT_NANOS = 2_000_000;
    private static final int BEATS = 8_192;

    private final long[] times = new long[BEATS];
    private final long[] lengths = new long[BEATS];
    private int next;
    private long longest;
    private volatile boolean closed;

    private Pulse() {}

    public static Pulse start() {
        Pulse pulse = new Pulse();
        Thread thread = new Thread(pulse::beat, "stress-pulse");
        thread.setDaemon(true);
        thread.start();
        return pulse;
    }

    private void beat() {
        long last = System.nanoTime();
        while (!closed) {
            LockSupport.parkNanos(BEAT_NANOS);
            long now = System.nanoTime();
            note(now, now - last);
            last = now;
        }
    }

    private synchronized void note(long now, long length) {
        times[next] = now;
        lengths[next] = length;
        next = (next + 1) % BEATS;
        longest = Math.max(longest, length);
    }

    /** The longest pause since then, by {@link System#nanoTime}; within the last 16 s. */
    public synchronized long longestNanosSince(long since) {
        long longestSince = 0;
        for (int i = 0; i < BEATS; i++) {
            if (lengths[i] > 0 && times[i] - since > 0) {
                longestSince = Math.max(longestSince, lengths[i]);
            }
        }
        return longestSince;
    }

    /** By how much the beats since then were late in all: the time for which the machine kept a thread from running. */
    public synchronized long lateNanosSince(long since) {
        long late = 0;
        for (int i = 0; i < BEATS; i++) {
            if (lengths[i] > 0 && times[i] - since > 0) {
                late += Math.max(0, lengths[i] - BEAT_NANOS);
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
