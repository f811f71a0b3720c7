package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Several locks at once: all of them or none. They are taken one after another in the order of their names, whatever order they are
 * given in, so that those who want some of the same ones do not wait for each other in a circle. Thread-safe.
 */
public final class MultiLock {

    private final List<DistributedLock> locks;
    private final LockOptions options;

    private MultiLock(List<DistributedLock> locks, LockOptions options) {
        this.locks = locks;
        this.options = options;
    }

    /** The same with the default options. */
    public static MultiLock of(Holdfast holdfast, Collection<String> resources) {
        return of(holdfast, resources, LockOptions.DEFAULT);
    }

    /**
     * A set of locks.
     *
     * @param resources their names, at least one; a name that is given twice counts once
     * @throws IllegalArgumentException if there is none, or one is no name of a lock
     */
    public static MultiLock of(Holdfast holdfast, Collection<String> resources, LockOptions options) {
        if (resources.isEmpty()) {
            throw new IllegalArgumentException("A set of locks needs at least one name");
        }
        List<DistributedLock> locks = new TreeSet<>(resources)
                .stream().map(resource -> holdfast.lock(resource, options)).toList();
        return new MultiLock(locks, options);
    }

    /**
     * Waits for all the locks, for as long as the options say in all.
     *
     * @throws LockTimeoutException if another held one of them until the wait was over; it tells which. None is held then
     * @throws io.holdfast.QuorumUnreachableException if too few nodes answered until the wait was over; none is held then
     * @throws LeaseLostException if one was lost again while others were waited for; none is held then
     * @throws InterruptedException if the thread is interrupted; none is held then
     */
    public MultiLease acquire() throws InterruptedException {
        return BlockingWait.on(acquireAsync());
    }

    /** The same as {@link #acquire()}, waiting at most this long in all. */
    public MultiLease acquire(Duration waitLimit) throws InterruptedException {
        return BlockingWait.on(
                acquireAsync(options.toBuilder().waitLimit(waitLimit).build()));
    }

    /** All the locks if all are free, without waiting for other holders: one round for each. */
    public Optional<MultiLease> tryAcquire() throws InterruptedException {
        return BlockingWait.unlessHeld(
                acquireAsync(options.toBuilder().waitLimit(Duration.ZERO).build()));
    }

    /** The same as {@link #acquire()}, without blocking. Cancelling the future ends the wait; none is held then. */
    public CompletableFuture<MultiLease> acquireAsync() {
        return acquireAsync(options);
    }

    private CompletableFuture<MultiLease> acquireAsync(LockOptions with) {
        CompletableFuture<MultiLease> all = new CompletableFuture<>();
        takeNext(new ArrayList<>(), locks.get(0).time().now(), with, all);
        return all;
    }

    private void takeNext(List<Lease> taken, Moment since, LockOptions with, CompletableFuture<MultiLease> all) {
        if (taken.size() == locks.size()) {
            finish(taken, all);
            return;
        }
        Duration left = with.waitLimit().minus(locks.get(0).time().now().surelySince(since));
        CompletableFuture<Lease> next = ask(
                taken.size(),
                with.toBuilder()
                        .waitLimit(left.isNegative() ? Duration.ZERO : left)
                        .build());
        all.whenComplete((leases, failure) -> next.cancel(true));
        next.whenComplete((lease, failure) -> {
            if (lease == null) {
                fail(taken, all, failure);
            } else {
                taken.add(lease);
                takeNext(taken, since, with, all);
            }
        });
    }

    private CompletableFuture<Lease> ask(int next, LockOptions with) {
        try {
            return locks.get(next).acquireAsync(with);
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    /** One that was taken early may have been lost while the others were waited for. */
    private static void finish(List<Lease> taken, CompletableFuture<MultiLease> all) {
        try {
            MultiLease leases = new MultiLease(taken);
            leases.ensureValidFor(Duration.ofMillis(1));
            if (!all.complete(leases)) {
                giveBack(taken);
            }
        } catch (RuntimeException notHeld) {
            fail(taken, all, notHeld);
        }
    }

    private static void fail(List<Lease> taken, CompletableFuture<MultiLease> all, Throwable failure) {
        giveBack(taken);
        all.completeExceptionally(failure);
    }

    private static void giveBack(List<Lease> taken) {
        taken.forEach(Lease::releaseAsync);
    }

    @Override
    public String toString() {
        return "LockSet" + locks.stream().map(DistributedLock::resource).toList();
    }
}
