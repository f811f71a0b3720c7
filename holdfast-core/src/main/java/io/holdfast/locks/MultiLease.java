package io.holdfast.locks;

import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.lease.Loss;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The leases of a {@link MultiLock}, held together: all of them are valid, or the set is not. Closing it releases all of them.
 *
 * <p>Thread-safe, and bound to no thread: any thread that has it may use and close it.
 */
public final class MultiLease implements AutoCloseable {

    private final List<Lease> all;

    MultiLease(List<Lease> all) {
        this.all = List.copyOf(all);
    }

    /** Returns the single leases, in the order of the names of their resources; unmodifiable. */
    public List<Lease> all() {
        return all;
    }

    /**
     * Returns the lease of one resource, with its fencing token.
     *
     * @throws IllegalArgumentException if the resource is not in the set
     */
    public Lease of(String resource) {
        return all.stream()
                .filter(lease -> lease.resource().equals(resource))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + resource + "' is not among the locks of "
                        + all.stream().map(Lease::resource).toList()));
    }

    /** Returns the time for which all leases may be relied on without a further renewal; zero once one is lost or released. */
    public Duration remaining() {
        return all.stream().map(Lease::remaining).min(Comparator.naturalOrder()).orElse(Duration.ZERO);
    }

    /** Returns {@code true} if all leases may be relied on at this moment: none is lost or released. No round trip. */
    public boolean isValid() {
        return all.stream().allMatch(Lease::isValid);
    }

    /**
     * Returns normally if all leases may be relied on for this long from now. Extends those that would end earlier, which blocks for one
     * round each. If it throws, it may have extended some of them before. Many leases and slow rounds need a longer duration: the first
     * ones age while the last ones are extended.
     *
     * @param duration at most {@link HoldfastOptions#maxLease}, less drift and a round trip if a lease is to be extended
     * @throws LeaseLostException if a lease is lost, released, or cannot be made to last that long
     * @throws IllegalArgumentException if the leases are valid, and the duration is longer than {@link HoldfastOptions#maxLease}
     */
    public void ensureValidFor(Duration duration) {
        all.forEach(lease -> lease.ensureValidFor(duration));
        // The first leases have aged in the rounds of the last ones, or may have been lost.
        all.forEach(lease -> LeaseChecks.requireFor(lease, duration));
    }

    /**
     * Calls back once, when the first lease is lost; at once if a lease has been lost, never if all are released. The callback runs on
     * the {@linkplain HoldfastOptions#callbackExecutor callback executor}, and may block; an exception from it is logged. It cannot be
     * unregistered.
     */
    public void onLost(Consumer<Loss> callback) {
        Objects.requireNonNull(callback, "callback");
        AtomicBoolean notified = new AtomicBoolean();
        all.forEach(lease -> lease.onLost(loss -> {
            if (notified.compareAndSet(false, true)) {
                callback.accept(loss);
            }
        }));
    }

    /**
     * Releases all leases without blocking. A lost or released lease is left as it is.
     *
     * @return a future that completes when a majority of the nodes has answered for each lease, at the latest after the node timeout, on
     *     a thread that may block; it does not fail
     */
    public CompletableFuture<Void> releaseAsync() {
        return releaseAsync(Duration.ZERO);
    }

    /**
     * Ends all leases without blocking, while the nodes keep the locks for this long from now; see {@link Lease#release(Duration)}. A lost
     * or released lease is left as it is.
     *
     * @param keep from zero to {@link HoldfastOptions#maxLease}
     * @return a future as that of {@link #releaseAsync()}; afterwards {@link Lease#release()} of each lease returns its outcome
     * @throws IllegalArgumentException if the duration is out of range, and then no lease has ended
     */
    public CompletableFuture<Void> releaseAsync(Duration keep) {
        return CompletableFuture.allOf(
                all.stream().map(lease -> lease.releaseAsync(keep)).toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Ends all leases, while the nodes keep the locks for this long from now, and waits for the nodes; see {@link Lease#release(Duration)}.
     *
     * @param keep from zero to {@link HoldfastOptions#maxLease}
     * @throws IllegalArgumentException if the duration is out of range, and then no lease has ended
     */
    public void release(Duration keep) {
        all.forEach(lease -> lease.releaseAsync(keep));
        all.forEach(lease -> lease.release(keep));
    }

    /** Releases all leases at once, and waits for the nodes as {@link Lease#release()} does. Throws nothing. */
    @Override
    public void close() {
        all.forEach(Lease::releaseAsync);
        all.forEach(Lease::close);
    }

    @Override
    public String toString() {
        return "MultiLease" + all;
    }
}
