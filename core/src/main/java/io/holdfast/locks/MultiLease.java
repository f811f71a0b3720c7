package io.holdfast.locks;

import io.holdfast.Held;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.event.Registration;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.lease.ReleaseOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The leases of a {@link MultiLock}, held together: all of them are valid, or the set is not. Closing it releases all
 * of them.
 */
public final class MultiLease implements Held {

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

    @Override
    public Duration remaining() {
        return all.stream().map(Lease::remaining).min(Comparator.naturalOrder()).orElse(Duration.ZERO);
    }

    @Override
    public boolean isValid() {
        return all.stream().allMatch(Lease::isValid);
    }

    /**
     * {@inheritDoc} If it throws, it may have extended some leases before. Many leases and slow rounds need a longer
     * duration: the first ones age while the last ones are extended.
     */
    @Override
    public void ensureValidFor(Duration duration) {
        all.forEach(lease -> lease.ensureValidFor(duration));
        // The first leases have aged in the rounds of the last ones, or may have been lost.
        all.forEach(lease -> LeaseChecks.requireFor(lease, duration));
    }

    /** {@inheritDoc} It runs when the first lease is lost. */
    @Override
    public Registration onLost(Consumer<Loss> callback) {
        Objects.requireNonNull(callback, "callback is null; give a callback");
        AtomicBoolean notified = new AtomicBoolean();
        List<Registration> registrations = all.stream()
                .map(lease -> lease.onLost(loss -> {
                    if (notified.compareAndSet(false, true)) {
                        callback.accept(loss);
                    }
                }))
                .toList();
        return () -> registrations.forEach(Registration::close);
    }

    @Override
    public void finish() {
        // Before the release, which changes the state.
        List<Lease> unfinished = all.stream()
                .filter(lease -> lease.state() != LeaseState.RELEASED)
                .toList();
        close();
        unfinished.stream()
                .filter(lease -> lease.release() == ReleaseOutcome.NOT_HELD)
                .findFirst()
                .ifPresent(lost -> {
                    throw LeaseLostException.atRelease(lost.resource());
                });
    }

    @Override
    public CompletableFuture<Void> finishAsync() {
        CompletableFuture<Void> finished = new CompletableFuture<>();
        // A stage wraps the failure of the stage before it, but callers look for its type.
        allOf(Lease::finishAsync).whenComplete((none, failure) -> {
            if (failure == null || !finished.completeExceptionally(failure.getCause())) {
                finished.complete(null);
            }
        });
        return finished;
    }

    @Override
    public CompletableFuture<Void> releaseAsync() {
        return releaseAsync(Duration.ZERO);
    }

    /**
     * Ends all leases without blocking, while the nodes keep the locks for this long from now; see {@link
     * Lease#release(Duration)}. A lost or released lease is left as it is.
     *
     * @param keep from zero to {@link HoldfastOptions#maxLease}
     * @return a future as that of {@link #releaseAsync()}; afterwards {@link Lease#release()} of each lease returns
     *     its outcome
     * @throws IllegalArgumentException if the duration is out of range, and then no lease has ended
     */
    public CompletableFuture<Void> releaseAsync(Duration keep) {
        return allOf(lease -> lease.releaseAsync(keep));
    }

    private CompletableFuture<Void> allOf(Function<Lease, CompletableFuture<?>> end) {
        List<CompletableFuture<?>> ends = new ArrayList<>();
        forAll(lease -> ends.add(end.apply(lease)));
        return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new));
    }

    /** Ends all leases. An error of this thread in the first one, such as a full stack, must not leave others held. */
    private void forAll(Consumer<Lease> end) {
        Error failed = null;
        for (Lease lease : all) {
            try {
                end.accept(lease);
            } catch (Error ofThisThread) {
                failed = ofThisThread;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    /**
     * Ends all leases, while the nodes keep the locks for this long from now, and waits for the nodes; see {@link
     * Lease#release(Duration)}.
     *
     * @param keep from zero to {@link HoldfastOptions#maxLease}
     * @throws IllegalArgumentException if the duration is out of range, and then no lease has ended
     */
    public void release(Duration keep) {
        forAll(lease -> lease.releaseAsync(keep));
        all.forEach(lease -> lease.release(keep));
    }

    @Override
    public void close() {
        try {
            all.forEach(Lease::releaseAsync);
        } catch (Error ofThisThread) {
            // Closing a lease throws nothing: its timer releases it then.
        }
        // A lambda would need more room on the stack.
        for (Lease lease : all) {
            lease.close();
        }
    }

    @Override
    public String toString() {
        return "MultiLease" + all;
    }
}
