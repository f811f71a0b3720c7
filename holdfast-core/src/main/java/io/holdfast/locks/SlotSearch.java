package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockOptionsBuilder;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

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
    /** The failure of a slot whose nodes could not be reached: it counts as taken, but is reported instead of a timeout. */
    private @Nullable QuorumUnreachableException unreachable;

    /**
     * Creates a search that has not begun.
     *
     * @param slots whose futures complete on threads of the library
     */
    SlotSearch(List<DistributedLock> slots, LockOptions with) {
        this.slots = slots;
        this.with = with;
        this.time = slots.get(0).time();
        this.begun = time.now();
        this.first = new SplittableRandom(begun.nanos()).nextInt(slots.size());
    }

    /** Begins the search, and returns the permit. To end the future ends the search. */
    CompletableFuture<Lease> begin() {
        probe(0);
        return permit;
    }

    private void probe(int probed) {
        CompletableFuture<Lease> attempt =
                slots.get((first + probed) % slots.size()).acquireAsync(once());
        cancelWithPermit(attempt);
        attempt.whenComplete((lease, failure) -> {
            if (lease != null) {
                deliver(lease);
            } else if (isTaken(failure)) {
                goOn(probed + 1, failure);
            } else {
                permit.completeExceptionally(failure);
            }
        });
    }

    /** Does not wait for a quarantine unless these options do: an unreachable limit above the wait limit would. */
    private LockOptions once() {
        LockOptionsBuilder once = left().toBuilder().waitLimit(Duration.ZERO);
        boolean waitsForNodes = with.unreachableLimit().compareTo(with.waitLimit()) > 0;
        return (waitsForNodes ? once : once.unreachableLimit(Duration.ZERO)).build();
    }

    private boolean isTaken(Throwable failure) {
        if (failure instanceof QuorumUnreachableException silent) {
            unreachable = silent;
        }
        return failure instanceof LockTimeoutException || failure instanceof QuorumUnreachableException;
    }

    private void goOn(int probed, Throwable failure) {
        if (probed < slots.size() && !isOver()) {
            probe(probed);
        } else if (with.waitLimit().isZero() || isOver()) {
            permit.completeExceptionally(unreachable == null ? failure : unreachable);
        } else {
            waitForAny();
        }
    }

    /** Returns whether the nodes were silent until the limits were over; the limit zero allows one round for each slot. */
    private boolean isOver() {
        Duration longest = Durations.longer(with.waitLimit(), with.unreachableLimit());
        return unreachable != null && !longest.isZero() && left(longest).isZero();
    }

    private Duration left(Duration limit) {
        return Durations.longer(Duration.ZERO, limit.minus(time.now().surelySince(begun)));
    }

    private LockOptions left() {
        LockOptionsBuilder limited = with.toBuilder().waitLimit(left(with.waitLimit()));
        return limited.unreachableLimit(left(with.unreachableLimit())).build();
    }

    /** Queues for every slot. The first grant ends the wait for the others. */
    private void waitForAny() {
        AtomicInteger waits = new AtomicInteger(slots.size());
        for (DistributedLock slot : slots) {
            CompletableFuture<Lease> wait = slot.acquireAsync(left());
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
