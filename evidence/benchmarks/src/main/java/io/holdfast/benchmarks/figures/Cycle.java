package io.holdfast.benchmarks.figures;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.RestartPolicy;
import java.util.List;
import java.util.function.LongSupplier;

/** Acquires and releases a free lock, in one thread, and returns the duration of the acquire in nanoseconds. */
public final class Cycle implements LongSupplier {

    private final DistributedLock lock;

    /** Connects to the nodes, which vote at once. */
    public Cycle(List<String> uris) {
        Holdfast holdfast = Holdfast.connect(
                uris, HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build());
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
