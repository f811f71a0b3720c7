package io.holdfast.quorum;

import static io.holdfast.time.Durations.shorter;

import io.holdfast.node.Claim;
import io.holdfast.quorum.Result.Grant;
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
 * <p>Not thread-safe: changed only within a step of {@link Contenders}.
 */
final class LocalQueue {

    /** How long after the grant a lock may still be handed over: those who wait elsewhere wait so much longer at most. */
    private static final Duration HAND_OVER_LIMIT = Duration.ofMillis(20);

    private static final int HAND_OVERS_PER_LEASE = 10;

    /** Nothing is added to it: a lock that nobody waits for, as most that are held, needs no more. */
    private static final Deque<Waiter> NOBODY = new ArrayDeque<>(0);

    private Deque<Waiter> waiting = NOBODY;
    private @Nullable Waiter contender;
    private @Nullable Claim holder;
    private @Nullable Call call;
    /** When the nodes granted the lock to the holder or to the one that it follows; a number, since there may be very many. */
    private long grantedNanos;

    /** The lock was left to a waiter, who has not come for it yet. */
    private static final class Call {

        private final Waiter waiter;
        /** Null: somebody has passed the waiter, and holds it. */
        private @Nullable Grant left;

        Call(Waiter waiter) {
            this.waiter = waiter;
        }
    }

    /** Waits, unless it may pass one who was called: what was left to that one, or null. */
    @Nullable
    Grant enter(Waiter waiter, Moment now) {
        Grant passed = pass(waiter.terms(), now);
        if (passed == null) {
            waitersFor(waiter).addLast(waiter);
        }
        return passed;
    }

    private @Nullable Grant pass(Terms terms, Moment now) {
        Call present = call;
        if (present == null || !present.waiter.mayBePassed(now)) {
            return null;
        }
        Grant left = present.left;
        if (left == null || !left.terms().equals(terms)) {
            return null;
        }
        present.left = null;
        return left;
    }

    /** It came when it was called, but somebody had passed it. */
    void enterAgain(Waiter waiter) {
        waitersFor(waiter).addFirst(waiter);
    }

    private Deque<Waiter> waitersFor(Waiter next) {
        if (contender != null || holder != null) {
            next.isContended();
        }
        if (waiting == NOBODY) {
            waiting = new ArrayDeque<>();
        }
        return waiting;
    }

    boolean quit(Waiter waiter) {
        return waiting.remove(waiter);
    }

    /** While the lock is held here alone, it is no use to ask for it: but for a place in line, where those count. */
    @Nullable
    Waiter nextContender() {
        Waiter first = waiting.peek();
        boolean mayContend = first != null
                && contender == null
                && (holder == null || holder.isShared() || first.terms().fair());
        if (mayContend) {
            contender = waiting.remove();
            waiting = waiting.isEmpty() ? NOBODY : waiting;
            return first;
        }
        return null;
    }

    void settled(Waiter waiter, @Nullable Grant grant, Moment now) {
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
    Waiter leave(Claim held, Grant next, Moment now) {
        Waiter heir = call != null ? call.waiter : waiting.peek();
        if (heir == null
                || !heir.terms().equals(next.terms())
                || !held.isOfSameLease(holder)
                || isLate(next.terms(), now)) {
            return null;
        }
        if (call == null) {
            call = new Call(waiting.remove());
            heir.isCalled(now);
        }
        call.left = next;
        holder = next.claim();
        return heir;
    }

    private boolean isLate(Terms terms, Moment now) {
        Duration limit = shorter(HAND_OVER_LIMIT, Durations.part(terms.ttl(), HAND_OVERS_PER_LEASE));
        return now.nanos() - grantedNanos > limit.toNanos();
    }

    /** Whoever was called comes, or will not come. What was left to it, if nobody has that. */
    @Nullable
    Grant come(Waiter waiter) {
        Call present = call;
        if (present == null || !present.waiter.equals(waiter)) {
            return null;
        }
        call = null;
        return present.left;
    }

    /** What was left to one who was called, and is there no longer; or null. */
    @Nullable
    Grant takeBack() {
        return call == null ? null : come(call.waiter);
    }

    void ended(Claim held) {
        if (held.isOfSameLease(holder)) {
            holder = null;
        }
    }

    void opened(Claim alone, Claim shared) {
        if (alone.isOfSameLease(holder)) {
            holder = shared;
        }
    }

    boolean isIdle() {
        return waiting.isEmpty() && contender == null && holder == null && call == null;
    }
}
