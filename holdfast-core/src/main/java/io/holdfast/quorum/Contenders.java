package io.holdfast.quorum;

import io.holdfast.node.Claim;
import io.holdfast.node.Ticket;
import io.holdfast.quorum.Result.Called;
import io.holdfast.quorum.Result.Grant;
import io.holdfast.quorum.Result.Refusal;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Those of one client who want locks. Of all who wait for the same one, the first contends on the nodes and the others queue behind
 * it. A lock that is given up soon after it was granted goes to the next in the queue without a round trip, a bounded number of
 * times: a lease of its own each time, with a greater token from those that the attempt took.
 *
 * <p>Thread-safe. A queue is kept as long as somebody is in it, or holds its lock.
 */
public final class Contenders {

    private final Quorum quorum;
    private final Proposals proposals;
    private final Map<String, LocalQueue> queues = new ConcurrentHashMap<>();
    private final Map<FinalKey, FinalAttempt> finalAttempts = new ConcurrentHashMap<>();
    private volatile boolean closed;
    private volatile @Nullable Terms lastTerms;

    public Contenders(Quorum quorum, Proposals proposals) {
        this.quorum = quorum;
        this.proposals = proposals;
    }

    /**
     * Waits for the lock. Cancelling the future ends the wait, and nothing is left behind. Whoever is {@linkplain Result.Called called}
     * has to come, or to say that it does not.
     */
    public CompletableFuture<Result> acquire(String resource, Terms newTerms, WaitLimits limits) {
        Terms terms = shared(newTerms);
        Moment now = quorum.time().now();
        if (!limits.isWaiting()) {
            Acquisition once =
                    Acquisition.of(quorum, proposals, resource, terms, limits, now, false, (done, failure) -> {});
            once.start();
            return once.result();
        }
        Waiter waiter = new Waiter(this, resource, terms, limits, now);
        Grant passed = ask(resource, queue -> queue.enter(waiter, now));
        return passed == null ? waiter.begin() : CompletableFuture.completedFuture(passed);
    }

    /** Gives what was left to whoever was called; or lets it wait again, the first of all, if somebody has passed it. */
    public CompletableFuture<Result> take(Called called) {
        Waiter waiter = called.waiter();
        Grant left = ask(waiter.resource(), queue -> queue.come(waiter));
        if (left != null) {
            return CompletableFuture.completedFuture(left);
        }
        Waiter again = waiter.again();
        change(waiter.resource(), queue -> queue.enterAgain(again));
        return again.begin();
    }

    /** Whoever was called does not come: what was left to it goes on to the next, or is given up. */
    public void decline(Called called) {
        Waiter waiter = called.waiter();
        Grant left = ask(waiter.resource(), queue -> queue.come(waiter));
        if (left != null && !handOver(left)) {
            giveUp(left);
        }
    }

    /** Lets a waiter that has left the queue take part in one more attempt, with others whose limits are over as well. */
    void attemptFinally(Waiter waiter) {
        FinalKey key = new FinalKey(waiter.resource(), waiter.terms());
        FinalAttempt own = new FinalAttempt(this, waiter.resource(), waiter.terms());
        @Nullable Refusal[] refusal = new Refusal[1];
        FinalAttempt joined = finalAttempts.compute(key, (same, running) -> {
            FinalAttempt attempt = running == null ? own : running;
            refusal[0] = attempt.join(waiter);
            return attempt;
        });
        if (joined.equals(own)) {
            own.start(waiter);
        } else if (refusal[0] != null) {
            waiter.refused(refusal[0]);
        }
    }

    /** A final attempt is over: the next waiter starts another. */
    void attempted(FinalAttempt over, String resource, Terms terms) {
        finalAttempts.remove(new FinalKey(resource, terms), over);
    }

    /** Puts a waiter whose limits are not over after all at the head of the queue. */
    void waitAgain(Waiter waiter) {
        change(waiter.resource(), queue -> queue.enterAgain(waiter));
        waiter.waitAgain();
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

    /** Releases what is reserved for waiters that have not claimed it, and lets no lock be handed over from now on. */
    public void close() {
        closed = true;
        for (String resource : queues.keySet()) {
            Grant left = ask(resource, LocalQueue::takeBack);
            if (left != null) {
                giveUp(left);
            }
        }
    }

    Quorum quorum() {
        return quorum;
    }

    Proposals proposals() {
        return proposals;
    }

    /** Takes the waiter out of the queue; returns whether it was in there. */
    boolean quit(String resource, Waiter waiter) {
        return Boolean.TRUE.equals(ask(resource, queue -> queue.quit(waiter)));
    }

    /** The acquisition of the waiter has ended, with that grant or without one. */
    void settled(String resource, Waiter waiter, @Nullable Grant grant) {
        Moment now = quorum.time().now();
        change(resource, queue -> queue.settled(waiter, grant, now));
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
     * Leaves the lock to the next in the queue, if that one asked for the same terms.
     *
     * @param grant that of the lock, with the validity confirmed last
     * @return false if nobody is to have it; it is still the caller's to give up
     */
    boolean handOver(Grant grant) {
        Claim held = grant.claim();
        if (closed || !held.hasFollower()) {
            return false;
        }
        Moment now = quorum.time().now();
        Waiter heir = ask(held.resource(), queue -> queue.leave(held, grant.follower(), now));
        // Closed meanwhile, it may have missed this lock when it looked for what nobody will claim.
        if (heir != null && (!heir.call() || closed)) {
            decline(new Called(heir));
        }
        return heir != null;
    }

    /**
     * Gives the lock up on all nodes. If others of this client wait for it, the first of them is put in line by the same round, and
     * waits to be called.
     */
    Round giveUp(Grant grant) {
        Duration timeout = grant.terms().nodeTimeout();
        Step<Void> step = step(grant.claim().resource(), silent(queue -> queue.ended(grant.claim())));
        Acquisition acquisition = step.next == null ? null : step.next.prepare();
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
        acquisition.startInLine(claim, round.trail().after(grant.trail()));
        return round;
    }

    private void change(String resource, Consumer<LocalQueue> change) {
        ask(resource, silent(change));
    }

    /** A change that tells nothing. */
    private static Function<LocalQueue, @Nullable Void> silent(Consumer<LocalQueue> nothing) {
        return queue -> {
            nothing.accept(queue);
            return null;
        };
    }

    private <T> @Nullable T ask(String resource, Function<LocalQueue, @Nullable T> change) {
        Step<T> step = step(resource, change);
        if (step.next != null) {
            step.next.prepare().start();
        }
        return step.told;
    }

    private <T> Step<T> step(String resource, Function<LocalQueue, @Nullable T> change) {
        Step<T> step = new Step<>();
        queues.compute(resource, (same, before) -> step.take(before == null ? new LocalQueue() : before, change));
        return step;
    }

    /** Waiters of one resource and of equal terms share their final attempt. */
    private record FinalKey(String resource, Terms terms) {}

    /** One step of a queue, after which whoever is first in it has to contend if nobody else does. */
    private static final class Step<T> {

        private @Nullable T told;
        private @Nullable Waiter next;

        @Nullable
        LocalQueue take(LocalQueue queue, Function<LocalQueue, @Nullable T> change) {
            told = change.apply(queue);
            next = queue.nextContender();
            return queue.isIdle() ? null : queue;
        }
    }
}
