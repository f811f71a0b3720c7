package io.holdfast.acquire;

import static io.holdfast.time.Durations.shorter;

import io.holdfast.acquire.AcquireResult.Grant;
import io.holdfast.node.Claim;
import io.holdfast.quorum.LockParameters;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * All of one client who want one lock, or have it. Of several who hold it shared, the last one counts as the holder: they do not keep
 * others from asking.
 *
 * <p>Not thread-safe: changed only within a step of {@link LocalWaiters}.
 */
final class LocalWaitQueue {

    /** How long after the grant a lock may still be handed over: those who wait elsewhere wait so much longer at most. */
    private static final Duration HAND_OVER_LIMIT = Duration.ofMillis(20);

    private static final int HAND_OVERS_PER_LEASE = 10;

    /** Nothing is added to it: a lock that nobody waits for, as most that are held, needs no more. */
    private static final Deque<LocalWaiter> NOBODY = new ArrayDeque<>(0);

    private Deque<LocalWaiter> waiting = NOBODY;
    private @Nullable LocalWaiter contender;
    private @Nullable Claim holder;
    private @Nullable Offer offer;
    /** When the nodes granted the lock to the holder or to the one that it follows; a number, since there may be very many. */
    private long grantedNanos;

    /** The lock was left to a waiter, who has not come for it yet. */
    private static final class Offer {

        private final LocalWaiter waiter;
        /** Null: somebody has passed the waiter, and holds it. */
        private @Nullable Grant grant;

        Offer(LocalWaiter waiter) {
            this.waiter = waiter;
        }
    }

    /** Waits, unless it may pass one who was called: what was left to that one, or null. */
    @Nullable
    Grant enter(LocalWaiter waiter, Moment now) {
        Grant barged = barge(waiter.parameters(), now);
        if (barged == null) {
            waitersFor(waiter).addLast(waiter);
        }
        return barged;
    }

    private @Nullable Grant barge(LockParameters parameters, Moment now) {
        Offer present = offer;
        if (present == null || !present.waiter.mayBeBarged(now)) {
            return null;
        }
        Grant left = present.grant;
        if (left == null || !left.parameters().equals(parameters)) {
            return null;
        }
        present.grant = null;
        return left;
    }

    /** It came when it was called, but somebody had passed it. */
    void enterAgain(LocalWaiter waiter) {
        waitersFor(waiter).addFirst(waiter);
    }

    private Deque<LocalWaiter> waitersFor(LocalWaiter next) {
        if (contender != null || holder != null) {
            next.markContended();
        }
        if (waiting == NOBODY) {
            waiting = new ArrayDeque<>();
        }
        return waiting;
    }

    boolean quit(LocalWaiter waiter) {
        return waiting.remove(waiter);
    }

    /** While the lock is held here alone, it is no use to ask for it: but for a place in line, where those count. */
    @Nullable
    LocalWaiter nextContender() {
        LocalWaiter first = waiting.peek();
        boolean mayContend = first != null
                && contender == null
                && (holder == null || holder.isShared() || first.parameters().fair());
        if (mayContend) {
            contender = waiting.remove();
            waiting = waiting.isEmpty() ? NOBODY : waiting;
            return first;
        }
        return null;
    }

    void settled(LocalWaiter waiter, @Nullable Grant grant, Moment now) {
        contender = waiter.equals(contender) ? null : contender;
        if (grant != null) {
            holder = grant.claim();
            grantedNanos = now.nanos();
        }
    }

    /**
     * The holder leaves the lock to whoever was called before and has been passed, else to the first in the queue, if that one asked for
     * the same terms.
     *
     * @return who is to have it; null: nobody, and it is the holder's as before
     */
    @Nullable
    LocalWaiter offer(Claim held, Grant next, Moment now) {
        LocalWaiter successor = offer != null ? offer.waiter : waiting.peek();
        if (successor == null
                || !successor.parameters().equals(next.parameters())
                || !held.isOfSameLease(holder)
                || isLate(next.parameters(), now)) {
            return null;
        }
        if (offer == null) {
            offer = new Offer(waiting.remove());
            successor.markNotified(now);
        }
        offer.grant = next;
        holder = next.claim();
        return successor;
    }

    private boolean isLate(LockParameters parameters, Moment now) {
        Duration limit = shorter(HAND_OVER_LIMIT, Durations.part(parameters.ttl(), HAND_OVERS_PER_LEASE));
        return now.nanos() - grantedNanos > limit.toNanos();
    }

    /** Whoever was called comes, or will not come. What was left to it, if nobody has that. */
    @Nullable
    Grant accept(LocalWaiter waiter) {
        Offer present = offer;
        if (present == null || !present.waiter.equals(waiter)) {
            return null;
        }
        offer = null;
        return present.grant;
    }

    /** What was left to one who was called, and is there no longer; or null. */
    @Nullable
    Grant revoke() {
        return offer == null ? null : accept(offer.waiter);
    }

    void ended(Claim held) {
        if (held.isOfSameLease(holder)) {
            holder = null;
        }
    }

    void downgraded(Claim alone, Claim shared) {
        if (alone.isOfSameLease(holder)) {
            holder = shared;
        }
    }

    boolean isIdle() {
        return waiting.isEmpty() && contender == null && holder == null && offer == null;
    }
}
