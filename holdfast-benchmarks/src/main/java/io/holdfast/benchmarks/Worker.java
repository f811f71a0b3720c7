package io.holdfast.benchmarks;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A process of several threads that contend on one lock. It begins and ends at given times of the machine's monotonic
 * clock, which all processes share, and writes the times of its holds to its standard output.
 */
final class Worker {

    /**
     * The time of a hold, in ns of the monotonic clock.
     *
     * @param worker the number of the process
     */
    record Held(int worker, long from, long to) {}

    private Worker() {}

    /** Acquires and releases the lock until the end; each hold lasts for the given time. */
    static void run(Contestant contestant, int threads, long heldNanos, long beginNanos, long endNanos)
            throws IOException, InterruptedException {
        ConcurrentLinkedQueue<long[]> holds = new ConcurrentLinkedQueue<>();
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> hold(contestant, heldNanos, beginNanos, endNanos, holds));
            thread.start();
            all.add(thread);
        }
        for (Thread thread : all) {
            thread.join();
        }
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
        for (long[] hold : holds) {
            out.writeLong(hold[0]);
            out.writeLong(hold[1]);
        }
        out.flush();
    }

    private static void hold(
            Contestant contestant,
            long heldNanos,
            long beginNanos,
            long endNanos,
            ConcurrentLinkedQueue<long[]> holds) {
        try {
            while (System.nanoTime() < endNanos) {
                Runnable release = contestant.acquire("shared");
                long from = System.nanoTime();
                while (System.nanoTime() - from < heldNanos) {
                    Thread.onSpinWait();
                }
                long to = System.nanoTime();
                release.run();
                if (from > beginNanos && to < endNanos) {
                    holds.add(new long[] {from, to});
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
