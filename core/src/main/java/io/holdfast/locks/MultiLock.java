package io.holdfast.locks;

import io.holdfast.Acquirable;
import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.spi.LockInternals;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * A set of locks that are held together: all of them or none. They are taken one after another in the order of their
 * names, in whatever order they are given. Two clients that request overlapping sets therefore do not wait for each
 * other in a circle.
 *
 * <p>The wait limit covers the whole set; an acquisition makes at least one round for the first lock. Memory effects
 * are those of a {@link DistributedLock}, for each of the locks.
 *
 * <p>Immutable and thread-safe.
 */
public final class MultiLock implements Acquirable<MultiLease> {

    private final List<DistributedLock> locks;
    private final Acquirable<MultiLease> composed;

    private MultiLock(List<DistributedLock> locks) {
        this.locks = locks;
        this.composed = LockInternals.composed(locks.get(0), this::request);
    }

    /**
     * Returns a set of locks with the default options. Does not ask the nodes.
     *
     * @param resources their names, at least one; a name that is given twice counts once
     * @throws IllegalArgumentException if there is no name, or if {@link Holdfast#lock(String)} rejects one
     */
    public static MultiLock of(Holdfast holdfast, Collection<String> resources) {
        return of(holdfast, resources, LockOptions.DEFAULT);
    }

    /**
     * Returns a set of locks. Does not ask the nodes.
     *
     * @param resources their names, at least one; a name that is given twice counts once
     * @param options of each lock, except that the wait limit covers the whole set
     * @throws IllegalArgumentException if there is no name, or if {@link Holdfast#lock(String, LockOptions)} rejects a
     *     name or the options
     */
    public static MultiLock of(Holdfast holdfast, Collection<String> resources, LockOptions options) {
        if (resources.isEmpty()) {
            throw new IllegalArgumentException("resources is empty; give at least one name of a lock");
        }
        List<DistributedLock> locks = new TreeSet<>(resources)
                .stream()
                        .map(resource -> LockInternals.onLibraryThreads(holdfast.lock(resource, options)))
                        .toList();
        return new MultiLock(locks);
    }

    /** Returns the names of the locks, in the order in which they are taken. */
    public List<String> resources() {
        return locks.stream().map(DistributedLock::resource).toList();
    }

    @Override
    public LockOptions options() {
        return composed.options();
    }

    /** {@inheritDoc} An exception names one of the locks. */
    @Override
    public MultiLease acquire(LockOptions with) throws InterruptedException {
        return composed.acquire(with);
    }

    /** {@inheritDoc} */
    @Override
    public CompletableFuture<MultiLease> acquireAsync(LockOptions with) {
        return composed.acquireAsync(with);
    }

    private CompletableFuture<MultiLease> request(LockOptions with) {
        Acquisition acquisition = new Acquisition(with);
        acquisition.follow(locks.get(0).acquireAsync(with));
        return acquisition.all;
    }

    /** One acquisition of all the locks, one after another. */
    private final class Acquisition {

        private final LockOptions with;
        private final Moment begun = LockInternals.time(locks.get(0)).now();
        private final List<Lease> taken = new ArrayList<>();
        private final CompletableFuture<MultiLease> all = new CompletableFuture<>();

        Acquisition(LockOptions with) {
            this.with = with;
        }

        void follow(CompletableFuture<Lease> next) {
            all.whenComplete((leases, failure) -> next.cancel(true));
            next.whenComplete((lease, failure) -> {
                if (lease == null) {
                    fail(failure);
                    return;
                }
                taken.add(lease);
                if (taken.size() < locks.size()) {
                    follow(requestNext());
                } else {
                    finish();
                }
            });
        }

        private CompletableFuture<Lease> requestNext() {
            DistributedLock next = locks.get(taken.size());
            Duration left =
                    with.waitLimit().minus(LockInternals.time(next).now().surelySince(begun));
            Duration waitLimit = Durations.longer(Duration.ZERO, left);
            return LockInternals.acquireAsync(
                    next, with.toBuilder().waitLimit(waitLimit).build());
        }

        /** A lease that was granted early may have been lost during the wait for the others. */
        private void finish() {
            try {
                taken.forEach(LeaseChecks::require);
                if (!all.complete(new MultiLease(taken))) {
                    releaseTaken();
                }
            } catch (RuntimeException | Error lost) {
                fail(lost);
            }
        }

        private void fail(Throwable failure) {
            releaseTaken();
            all.completeExceptionally(failure);
        }

        private void releaseTaken() {
            taken.forEach(Lease::releaseAsync);
        }
    }

    @Override
    public String toString() {
        return "MultiLock" + resources();
    }
}
