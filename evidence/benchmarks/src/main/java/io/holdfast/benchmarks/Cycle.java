package io.holdfast.benchmarks;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import java.util.function.LongSupplier;

/** Acquires and releases a free lock, in one thread, and returns the duration of the acquire in nanoseconds. */
final class Cycle implements LongSupplier {

    private final DistributedLock lock;

    Cycle(Holdfast holdfast) {
        this.lock = holdfast.lock("benchmark");
    }

    @Override
    public long getAsLong() {
        try {
            long begun = System.nanoTime();
            Lease lease = lock.acquire();
            long elapsed = System.nanoTime() - begun;
            lease.release();
            return elapsed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
