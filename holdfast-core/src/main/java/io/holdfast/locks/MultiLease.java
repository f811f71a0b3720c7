package io.holdfast.locks;

import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.Registration;
import io.holdfast.lease.Loss;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The leases of a {@link MultiLock}, held together: as good as the worst of them. Close them to give all of them up. Thread-safe; bound
 * to no thread.
 */
public final class MultiLease implements AutoCloseable {

    private final List<Lease> all;

    MultiLease(List<Lease> all) {
        this.all = List.copyOf(all);
    }

    /** Each of them, in the order of their names. */
    public List<Lease> all() {
        return all;
    }

    /**
     * That of one resource, with its fencing token.
     *
     * @throws IllegalArgumentException if it is not in the set
     */
    public Lease of(String resource) {
        return all.stream()
                .filter(lease -> lease.resource().equals(resource))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + resource + "' is not among the locks of "
                        + all.stream().map(Lease::resource).toList()));
    }

    /** How long all of them may be relied on without a further renewal; zero once one is lost or they are released. */
    public Duration remaining() {
        return all.stream().map(Lease::remaining).min(Comparator.naturalOrder()).orElse(Duration.ZERO);
    }

    /** Whether none is lost or released. */
    public boolean isValid() {
        return all.stream().allMatch(lease -> lease.state().isValid());
    }

    /**
     * Returns normally if all of them may be relied on for this long from now, extending them if need be.
     *
     * @throws LeaseLostException if one is lost, released, or cannot be made to last that long
     */
    public void ensureValidFor(Duration duration) {
        all.forEach(lease -> lease.ensureValidFor(duration));
    }

    /** Calls back once, when the first of them is lost, at once if one has been; never if they are released. It may block. */
    public Registration onLost(Consumer<Loss> callback) {
        AtomicBoolean told = new AtomicBoolean();
        List<Registration> each = all.stream()
                .map(lease -> lease.onLost(loss -> {
                    if (told.compareAndSet(false, true)) {
                        callback.accept(loss);
                    }
                }))
                .toList();
        return () -> each.forEach(Registration::close);
    }

    /** Releases all of them at once, and waits for the nodes as {@link Lease#release()} does. Throws nothing. */
    @Override
    public void close() {
        all.forEach(Lease::releaseAsync);
        all.forEach(Lease::close);
    }

    @Override
    public String toString() {
        return "Leases" + all;
    }
}
