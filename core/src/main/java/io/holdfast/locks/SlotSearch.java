package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.spi.LockInternals;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One acquisition of a permit. First it tries one slot after another, so that it takes no more than one that others may
 * want; then it waits for all of them.
 */
final class SlotSearch {

    private final List<DistributedLock> slots;
    private final LockOptions with;
    private final Time time;
    private final Moment begun;
    private final CompletableFuture<Lease> permit = new CompletableFuture<>();
    /** Waiters begin with different slots. A simulation begins with the same slot in each run. */
    private final int first;

    /**
     * Creates a search that has not begun.
     *
     * @param slots whose futures complete on threads of the library
     */
    SlotSearch(List<DistributedLock> slots, LockOptions with) {
        this.slots = slots;
        this.with = with;
        this.time = LockInternals.time(slots.get(0));
        this.begun = time.now();
        this.first = new SplittableRandom(begun.nanos()).nextInt(slots.size());
    }

    /** Begins the search, and returns the permit. To end the future ends the search. */
    CompletableFuture<Lease> begin() {
        follow(0, slots.get(first).acquireAsync(waiting(Duration.ZERO)));
        return permit;
    }

    private void follow(int probed, CompletableFuture<Lease> attempt) {
        cancelWithPermit(attempt);
        attempt.whenComplete((lease, failure) -> {
            if (lease != null) {
                deliver(lease);
            } else if (failure instanceof LockTimeoutException) {
                goOn(probed + 1, failure);
            } else if (failure instanceof QuorumUnreachableException) {
                // All slots are on the same nodes, so the others are not tried.
                goOn(slots.size(), failure);
            } else {
                permit.completeExceptionally(failure);
            }
        });
    }

    private void goOn(int probed, Throwable failure) {
        if (probed < slots.size()) {
            follow(
                    probed,
                    LockInternals.acquireAsync(slots.get((first + probed) % slots.size()), waiting(Duration.ZERO)));
        } else if (left().isZero()) {
            permit.completeExceptionally(failure);
        } else {
            waitForAny();
        }
    }

    private Duration left() {
        return Durations.longer(Duration.ZERO, with.waitLimit().minus(time.now().surelySince(begun)));
    }

    private LockOptions waiting(Duration limit) {
        return with.toBuilder().waitLimit(limit).build();
    }

    /** Queues for every slot. The first grant ends the wait for the others. */
    private void waitForAny() {
        AtomicInteger waits = new AtomicInteger(slots.size());
        for (DistributedLock slot : slots) {
            CompletableFuture<Lease> wait = LockInternals.acquireAsync(slot, waiting(left()));
            cancelWithPermit(wait);
            wait.whenComplete((lease, failure) -> {
                if (lease != null) {
                    deliver(lease);
                } else if (waits.decrementAndGet() == 0) {
                    permit.completeExceptionally(failure);
                }
            });
        }
    }

    private void cancelWithPermit(CompletableFuture<Lease> attempt) {
        permit.whenComplete((lease, failure) -> attempt.cancel(true));
    }

    /** Two slots may be granted at about the same time. */
    private void deliver(Lease lease) {
        if (!permit.complete(lease)) {
            lease.releaseAsync();
        }
    }
}
