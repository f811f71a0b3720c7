package io.holdfast.quorum;

import static io.holdfast.time.Durations.shorter;

import io.holdfast.node.Claim;
import io.holdfast.node.Ticket;
import io.holdfast.quorum.Acquisition.Grant;
import io.holdfast.quorum.Acquisition.Result;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Those of one client who want locks. Of all who wait for the same one, the first contends on the nodes and the others queue behind
 * it. A lock that is given up soon after it was granted goes to the next in the queue without a round trip, a bounded number of
 * times: a lease of its own each time, with a greater token from those that the attempt took.
 *
 * <p>Thread-safe. A queue is kept as long as somebody is in it, or holds its lock.
 */
public final class Contenders {

    /** How long after the grant a lock may still be handed over: those who wait elsewhere wait so much longer at most. */
    private static final Duration HAND_OVER_LIMIT = Duration.ofMillis(20);

    private static final int HAND_OVERS_PER_LEASE = 10;

    private final Quorum quorum;
    private final Proposals proposals;
    private final Map<String, Queue> queues = new ConcurrentHashMap<>();
    private volatile @Nullable Terms lastTerms;

    public Contenders(Quorum quorum, Proposals proposals) {
        this.quorum = quorum;
        this.proposals = proposals;
    }

    /** Waits for the lock. Cancelling the future ends the wait, and nothing is left behind. */
    public CompletableFuture<Result> acquire(String resource, Terms newTerms, Patience patience) {
        Terms terms = shared(newTerms);
        Moment now = quorum.time().now();
        if (patience.whileHeld().isZero()) {
            Acquisition once =
                    Acquisition.of(quorum, proposals, resource, terms, patience, now, false, (done, failure) -> {});
            once.start();
            return once.result();
        }
        Waiter waiter = new Waiter(this, resource, terms, patience, now);
        change(resource, queue -> queue.enter(waiter));
        waiter.startPatience();
        return waiter.result();
    }

    /** Very many leases, nearly always of equal terms, have one object for them. */
    private Terms shared(Terms terms) {
        Terms last = lastTerms;
        if (last != null && last.equals(terms)) {
            return last;
        }
        lastTerms = terms;
        return terms;
    }

    /** Goes on with what was granted to another client; see {@link Resumption}. */
    public CompletableFuture<Result> resume(Claim granted, Terms terms) {
        return Resumption.of(quorum, proposals, granted, shared(terms));
    }

    Quorum quorum() {
        return quorum;
    }

    Proposals proposals() {
        return proposals;
    }

    /** Takes the waiter out of the queue; returns whether it was in there. */
    boolean quit(String resource, Waiter waiter) {
        boolean[] queued = new boolean[1];
        change(resource, queue -> queued[0] = queue.waiting.remove(waiter));
        return queued[0];
    }

    /** The acquisition of the waiter has ended, with that grant or without one. */
    void settled(String resource, Waiter waiter, @Nullable Grant grant) {
        change(resource, queue -> queue.settled(waiter, grant));
    }

    /** This lock has been given up or lost: the next in the queue contends for it. */
    public void ended(Claim held) {
        change(held.resource(), queue -> queue.ended(held));
    }

    /** Whoever held this lock alone shares it from now on. */
    void opened(Claim alone, Claim shared) {
        change(alone.resource(), queue -> queue.opened(alone, shared));
    }

    /**
     * Hands the lock to the next in the queue, if that one asked for the same terms.
     *
     * @param grant that of the lock, with the validity confirmed last
     * @return false if nobody takes it over; it is still the caller's to give up
     */
    boolean handOver(Grant grant) {
        Terms terms = grant.terms();
        Duration limit = shorter(HAND_OVER_LIMIT, Durations.part(terms.ttl(), HAND_OVERS_PER_LEASE));
        boolean late = quorum.time().now().since(grant.trail().begun()).compareTo(limit) > 0;
        if (late || !grant.claim().hasFollower()) {
            return false;
        }
        Grant next = new Grant(grant.claim().follower(), grant.trail(), grant.validity(), terms);
        for (Waiter heir = heir(grant.claim(), next.claim(), terms);
                heir != null;
                heir = heir(next.claim(), next.claim(), terms)) {
            if (heir.result().complete(next)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Gives the lock up on all nodes. If others of this client wait for it, the first of them is put in line by the same round, and
     * waits to be called.
     */
    Round giveUp(Grant grant) {
        Duration timeout = grant.terms().nodeTimeout();
        Waiter[] next = new Waiter[1];
        step(grant.claim().resource(), queue -> queue.ended(grant.claim()), next);
        Acquisition acquisition = next[0] == null ? null : next[0].prepare();
        Ticket ticket = acquisition == null ? null : acquisition.ticket();
        if (acquisition == null || ticket == null) {
            Round round = quorum.release(grant.claim(), grant.trail(), timeout);
            if (acquisition != null) {
                acquisition.start();
            }
            return round;
        }
        Claim claim = grant.claim().with(ticket);
        Round round = quorum.stepBack(claim, grant.trail(), timeout);
        acquisition.startInLine(claim, round.trail());
        return round;
    }

    /** Takes the first out of the queue, if it asked for the same terms, and makes it the holder. */
    private @Nullable Waiter heir(Claim held, Claim next, Terms terms) {
        Waiter[] heir = new Waiter[1];
        change(held.resource(), queue -> {
            Waiter first = queue.waiting.peek();
            if (held.isOfSameLease(queue.holder)
                    && first != null
                    && first.terms().equals(terms)) {
                heir[0] = queue.waiting.remove();
                queue.holder = next;
            }
        });
        return heir[0];
    }

    /** One step of a queue, after which whoever is first in it contends if nobody else does. */
    private void change(String resource, Consumer<Queue> step) {
        Waiter[] next = new Waiter[1];
        step(resource, step, next);
        if (next[0] != null) {
            next[0].prepare().start();
        }
    }

    private void step(String resource, Consumer<Queue> step, Waiter[] next) {
        queues.compute(resource, (same, before) -> {
            Queue queue = before == null ? new Queue() : before;
            step.accept(queue);
            next[0] = queue.nextContender();
            return queue.isIdle() ? null : queue;
        });
    }

    /**
     * All of this client who want one lock, or have it. Changed only within a step. Of several who hold it shared, the last one counts
     * as the holder: they do not keep others from asking.
     */
    private static final class Queue {

        /** Nothing is added to it: a lock that nobody waits for, as most that are held, needs no more. */
        private static final Deque<Waiter> NOBODY = new ArrayDeque<>(0);

        private Deque<Waiter> waiting = NOBODY;
        private @Nullable Waiter contender;
        private @Nullable Claim holder;

        void enter(Waiter waiter) {
            if (contender != null || holder != null) {
                waiter.isContended();
            }
            if (waiting == NOBODY) {
                waiting = new ArrayDeque<>();
            }
            waiting.add(waiter);
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

        void settled(Waiter waiter, @Nullable Grant grant) {
            contender = waiter.equals(contender) ? null : contender;
            holder = grant != null ? grant.claim() : holder;
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
            return waiting.isEmpty() && contender == null && holder == null;
        }
    }
}
