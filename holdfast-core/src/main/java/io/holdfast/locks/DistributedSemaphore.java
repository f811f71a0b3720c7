package io.holdfast.locks;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * At most so many holders at a time: a semaphore of numbered slots, each of them a lock. So it is as safe as a lock. (Permits that are
 * counted on each of several nodes are not: two majorities of nodes can agree to more holders than any single node has seen.)
 *
 * <p>All who use it have to agree on the number of permits; who believes in more admits more. The lease of a permit is that of its slot:
 * {@code pool/1}, {@code pool/2} and so on, with a fencing token that grows for that slot alone. Thread-safe.
 */
public final class DistributedSemaphore {

    /** Whoever waits stands in the line of every slot. */
    private static final int MOST_PERMITS = 1_000;

    private final List<DistributedLock> slots;
    private final LockOptions options;
    private final Time time;

    private DistributedSemaphore(List<DistributedLock> slots, LockOptions options, Time time) {
        this.slots = slots;
        this.options = options;
        this.time = time;
    }

    /** The same with the default options. */
    public static DistributedSemaphore of(Holdfast holdfast, String name, int permits) {
        return of(holdfast, name, permits, LockOptions.DEFAULT);
    }

    /**
     * A semaphore.
     *
     * @param permits from 1 to 1000
     * @throws IllegalArgumentException if the number is not, or the name is no name of a lock
     */
    public static DistributedSemaphore of(Holdfast holdfast, String name, int permits, LockOptions options) {
        if (permits < 1 || permits > MOST_PERMITS) {
            throw new IllegalArgumentException("A semaphore has 1 to " + MOST_PERMITS + " permits, not " + permits
                    + "; for more, split what it guards");
        }
        List<DistributedLock> slots = IntStream.rangeClosed(1, permits)
                .mapToObj(slot -> holdfast.lock(name + "/" + slot, options))
                .toList();
        return new DistributedSemaphore(slots, options, slots.get(0).time());
    }

    /** How many may hold a permit at a time. */
    public int permits() {
        return slots.size();
    }

    /**
     * Waits for a permit, for as long as the options say; close the lease to give it back.
     *
     * @throws LockTimeoutException if others held all of them until the wait was over; it tells of one slot
     * @throws QuorumUnreachableException if too few nodes answered until the wait was over
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     */
    public Lease acquire() throws InterruptedException {
        return BlockingWait.on(acquireAsync());
    }

    /** The same as {@link #acquire()}, waiting at most this long. */
    public Lease acquire(Duration waitLimit) throws InterruptedException {
        return BlockingWait.on(
                acquireAsync(options.toBuilder().waitLimit(waitLimit).build()));
    }

    /** A permit if one is free, without waiting for other holders: a round for each slot at most. */
    public Optional<Lease> tryAcquire() throws InterruptedException {
        return BlockingWait.unlessHeld(
                acquireAsync(options.toBuilder().waitLimit(Duration.ZERO).build()));
    }

    /** The same as {@link #acquire()}, without blocking. Cancelling the future ends the wait; nothing is held then. */
    public CompletableFuture<Lease> acquireAsync() {
        return acquireAsync(options);
    }

    private CompletableFuture<Lease> acquireAsync(LockOptions with) {
        CompletableFuture<Lease> permit = new CompletableFuture<>();
        lookAt(0, anySlot(), with, null, permit);
        return permit;
    }

    /** Any slot will do, as long as callers begin with different ones; a simulation begins with the same ones again. */
    private int anySlot() {
        return new SplittableRandom(time.now().nanos()).nextInt(slots.size());
    }

    /**
     * One slot after another, so that nobody takes more than one out of the others' hands.
     *
     * @param unseen why one that was looked at could not be seen, which is as if it were taken, but for what the caller is told
     */
    private void lookAt(
            int looks,
            int first,
            LockOptions with,
            @Nullable QuorumUnreachableException unseen,
            CompletableFuture<Lease> permit) {
        DistributedLock slot = slots.get((first + looks) % slots.size());
        boolean last = looks + 1 == slots.size();
        CompletableFuture<Lease> look =
                slot.acquireAsync(with.toBuilder().waitLimit(Duration.ZERO).build());
        cancelWith(permit, look);
        look.whenComplete((lease, failure) -> {
            QuorumUnreachableException nowUnseen = failure instanceof QuorumUnreachableException now ? now : unseen;
            boolean taken = failure instanceof LockTimeoutException || failure instanceof QuorumUnreachableException;
            if (lease != null) {
                give(lease, permit);
            } else if (!taken) {
                permit.completeExceptionally(failure);
            } else if (!last) {
                lookAt(looks + 1, first, with, nowUnseen, permit);
            } else if (with.waitLimit().isZero()) {
                permit.completeExceptionally(nowUnseen == null ? failure : nowUnseen);
            } else {
                waitForAny(with, permit);
            }
        });
    }

    /** In the line of every slot; the first that is granted ends the wait for the others. */
    private void waitForAny(LockOptions with, CompletableFuture<Lease> permit) {
        AtomicInteger waits = new AtomicInteger(slots.size());
        for (DistributedLock slot : slots) {
            CompletableFuture<Lease> wait = slot.acquireAsync(with);
            cancelWith(permit, wait);
            wait.whenComplete((lease, failure) -> {
                if (lease != null) {
                    give(lease, permit);
                } else if (waits.decrementAndGet() == 0) {
                    permit.completeExceptionally(failure);
                }
            });
        }
    }

    private static void cancelWith(CompletableFuture<Lease> permit, CompletableFuture<Lease> wait) {
        permit.whenComplete((lease, failure) -> wait.cancel(true));
    }

    /** Two slots may be granted at about the same time. */
    private static void give(Lease lease, CompletableFuture<Lease> permit) {
        if (!permit.complete(lease)) {
            lease.releaseAsync();
        }
    }

    @Override
    public String toString() {
        return "SlotSemaphore[" + slots.get(0).resource() + " to " + slots.size() + "]";
    }
}
