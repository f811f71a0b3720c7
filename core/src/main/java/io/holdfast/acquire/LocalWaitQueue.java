package io.holdfast.acquire;

import io.holdfast.node.Claim;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.Outcome;
import io.holdfast.time.Moment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The local wait queue of one lock: the waiters of one client, the waiter that contends on the nodes, and the holder.
 * Of several shared holders, the last one counts; shared holders do not keep waiters from contending.
 *
 * <p>Not thread-safe: {@link LocalWaiters} changes a queue only in atomic steps.
 */
final class LocalWaitQueue {

    /** Never modified. Most contended locks have no other waiters, and need no deque of their own. */
    private static final Deque<LocalWaiter> EMPTY = new ArrayDeque<>(0);

    private Deque<LocalWaiter> waiting = EMPTY;
    private @Nullable LocalWaiter contender;
    private @Nullable Claim holder;
    private @Nullable Offer offer;
    /**
     * The outcome that the last contender learnt before it was refused, for those that waited behind it; null if this
     * client has had the lock since.
     */
    private @Nullable Outcome lastRefusal;

    /** An offer of the lock that its waiter has neither accepted nor declined yet. */
    private static final class Offer {

        private final LocalWaiter waiter;
        /** Null: another waiter has barged and holds the lock. */
        private @Nullable Grant grant;

        Offer(LocalWaiter waiter) {
            this.waiter = waiter;
        }
    }

    /** Returns a queue whose only waiter contends already. */
    static LocalWaitQueue contendedBy(LocalWaiter first) {
        LocalWaitQueue queue = new LocalWaitQueue();
        queue.contender = first;
        return queue;
    }

    /**
     * Enqueues the waiter, or lets it barge: returns the grant that was offered to another waiter, or null if this one
     * is enqueued.
     */
    @Nullable
    Grant enqueueOrBarge(LocalWaiter waiter, Moment now) {
        Grant barged = barge(waiter.parameters(), now);
        if (barged == null) {
            dequeFor(waiter).addLast(waiter);
        }
        return barged;
    }

    private @Nullable Grant barge(LockParameters parameters, Moment now) {
        Offer present = offer;
        if (present == null || !present.waiter.mayBeBarged(now)) {
            return null;
        }
        Grant offered = present.grant;
        if (offered == null || !offered.parameters().equals(parameters)) {
            return null;
        }
        present.grant = null;
        return offered;
    }

    /** Puts a waiter at the head of the queue. */
    void enqueueFirst(LocalWaiter waiter) {
        dequeFor(waiter).addFirst(waiter);
    }

    private Deque<LocalWaiter> dequeFor(LocalWaiter next) {
        if (contender != null || holder != null) {
            next.markContended();
        }
        if (waiting == EMPTY) {
            waiting = new ArrayDeque<>();
        }
        return waiting;
    }

    boolean remove(LocalWaiter waiter) {
        return waiting.remove(waiter);
    }

    /**
     * Makes the head of the queue the contender and returns it, or returns null. While this client holds the lock
     * exclusively, contending is pointless, except for fair locks, whose queue position counts from the first attempt.
     */
    @Nullable
    LocalWaiter nextContender() {
        LocalWaiter first = waiting.peek();
        boolean mayContend = first != null
                && contender == null
                && (holder == null || holder.isShared() || first.parameters().fair());
        if (mayContend) {
            contender = waiting.remove();
            waiting = waiting.isEmpty() ? EMPTY : waiting;
            return first;
        }
        return null;
    }

    boolean isContending() {
        return contender != null;
    }

    /** Returns the last outcome of the contender, else of the one before; null: none, or this client holds the lock. */
    @Nullable
    Outcome known() {
        if (contender == null) {
            return null;
        }
        Outcome present = contender.lastOutcome();
        return present == null ? lastRefusal : present;
    }

    /**
     * Records the end of the contender's acquisition.
     *
     * @param isInVain whether all that wait behind it would wait in vain
     * @return these waiters, which are no longer queued; none if the wait is not in vain
     */
    List<LocalWaiter> contenderSettled(LocalWaiter waiter, @Nullable Grant grant, boolean isInVain) {
        List<LocalWaiter> ended = isInVain ? List.copyOf(waiting) : List.of();
        waiting = isInVain ? EMPTY : waiting;
        Outcome learnt = waiter.lastOutcome();
        if (grant != null) {
            lastRefusal = null;
            holder = grant.claim();
        } else if (learnt != null) {
            lastRefusal = waiting.isEmpty() ? null : learnt;
        }
        contender = waiter.equals(contender) ? null : contender;
        return ended;
    }

    /**
     * Offers the lock to the waiter that was notified earlier and then overtaken, else to the head of the queue, if
     * that waiter uses equal parameters and another lease may follow.
     *
     * @return the waiter with the offer; null: none, and the holder keeps the lock
     */
    @Nullable
    LocalWaiter offer(Grant ending, Moment now) {
        LocalWaiter successor = offer != null ? offer.waiter : waiting.peek();
        if (successor == null
                || !successor.parameters().equals(ending.parameters())
                || !ending.claim().isOfSameLease(holder)
                || isLate(ending, now)
                || !ending.claim().hasFollower()) {
            return null;
        }
        Grant next = ending.follower();
        if (offer == null) {
            offer = new Offer(waiting.remove());
            successor.markNotified(now);
        }
        offer.grant = next;
        holder = next.claim();
        return successor;
    }

    private static boolean isLate(Grant ending, Moment now) {
        return now.nanos() - ending.grantedNanos()
                > ending.parameters().handOverLimit().toNanos();
    }

    /**
     * Ends the offer to this waiter and returns the offered grant. If another waiter has taken that, this one waits
     * again at the head of the queue; null then, and if there is no offer.
     */
    @Nullable
    Grant accept(LocalWaiter waiter) {
        Offer present = offer;
        if (present == null || !present.waiter.equals(waiter)) {
            return null;
        }
        offer = null;
        if (present.grant == null) {
            enqueueFirst(waiter);
        }
        return present.grant;
    }

    /** Removes the waiter and ends the offer to it. Returns the offered grant; null if there is none. */
    @Nullable
    Grant leave(LocalWaiter waiter) {
        waiting.remove(waiter);
        return offer != null && offer.waiter.equals(waiter) ? revoke() : null;
    }

    /** Ends any offer. Returns the offered grant, or null if there is none. */
    @Nullable
    Grant revoke() {
        Offer present = offer;
        offer = null;
        return present == null ? null : present.grant;
    }

    void ended(Claim held) {
        if (held.isOfSameLease(holder)) {
            holder = null;
        }
    }

    void downgraded(Claim exclusive, Claim shared) {
        if (exclusive.isOfSameLease(holder)) {
            holder = shared;
        }
    }

    /** Returns {@code true} if this client neither holds the lock nor waits for it. */
    boolean isUnused() {
        return waiting.isEmpty() && contender == null && offer == null && holder == null;
    }
}
