package io.holdfast.acquire;

import io.holdfast.acquire.AcquireResult.Grant;
import io.holdfast.acquire.AcquireResult.Offered;
import io.holdfast.acquire.AcquireResult.Refusal;
import io.holdfast.node.Claim;
import io.holdfast.node.WaitTicket;
import io.holdfast.quorum.FenceProposer;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.quorum.Round;
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
public final class LocalWaiters {

    private final NodeGroup group;
    private final FenceProposer proposer;
    private final Map<String, LocalWaitQueue> queues = new ConcurrentHashMap<>();
    private final Map<FinalKey, FinalAttempt> finalAttempts = new ConcurrentHashMap<>();
    private volatile boolean closed;
    private volatile @Nullable LockParameters lastParameters;

    public LocalWaiters(NodeGroup group, FenceProposer proposer) {
        this.group = group;
        this.proposer = proposer;
    }

    /**
     * Waits for the lock. Cancelling the future ends the wait, and nothing is left behind. Whoever is {@linkplain AcquireResult.Offered offer}
     * has to come, or to say that it does not.
     */
    public CompletableFuture<AcquireResult> acquire(String resource, LockParameters newParameters, WaitLimits limits) {
        LockParameters parameters = shared(newParameters);
        Moment now = group.time().now();
        if (!limits.isWaiting()) {
            Acquisition once =
                    Acquisition.of(group, proposer, resource, parameters, limits, now, false, (done, failure) -> {});
            once.start();
            return once.result();
        }
        LocalWaiter waiter = new LocalWaiter(this, resource, parameters, limits, now);
        Grant passed = ask(resource, queue -> queue.enter(waiter, now));
        return passed == null ? waiter.begin() : CompletableFuture.completedFuture(passed);
    }

    /** Gives what was left to whoever was called; or lets it wait again, the first of all, if somebody has passed it. */
    public CompletableFuture<AcquireResult> accept(Offered offer) {
        LocalWaiter waiter = offer.waiter();
        Grant left = ask(waiter.resource(), queue -> queue.accept(waiter));
        if (left != null) {
            return CompletableFuture.completedFuture(left);
        }
        LocalWaiter again = waiter.again();
        change(waiter.resource(), queue -> queue.enterAgain(again));
        return again.begin();
    }

    /** Whoever was called does not come: what was left to it goes on to the next, or is given up. */
    public void decline(Offered offer) {
        LocalWaiter waiter = offer.waiter();
        Grant left = ask(waiter.resource(), queue -> queue.accept(waiter));
        if (left != null && !handOver(left)) {
            release(left);
        }
    }

    /** Lets a waiter that has left the queue take part in one more attempt, with others whose limits are over as well. */
    void attemptFinally(LocalWaiter waiter) {
        FinalKey key = new FinalKey(waiter.resource(), waiter.parameters());
        FinalAttempt own = new FinalAttempt(this, waiter.resource(), waiter.parameters());
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
    void attempted(FinalAttempt over, String resource, LockParameters parameters) {
        finalAttempts.remove(new FinalKey(resource, parameters), over);
    }

    /** Puts a waiter whose limits are not over after all at the head of the queue. */
    void waitAgain(LocalWaiter waiter) {
        change(waiter.resource(), queue -> queue.enterAgain(waiter));
        waiter.waitAgain();
    }

    /** Very many leases, nearly always of equal terms, have one object for them. */
    private LockParameters shared(LockParameters parameters) {
        LockParameters last = lastParameters;
        if (last != null && last.equals(parameters)) {
            return last;
        }
        lastParameters = parameters;
        return parameters;
    }

    /** Goes on with what was granted to another client; see {@link Resumption}. */
    public CompletableFuture<AcquireResult> resume(Claim granted, LockParameters parameters) {
        return Resumption.of(group, proposer, granted, shared(parameters));
    }

    /** Releases what is reserved for waiters that have not claimed it, and lets no lock be handed over from now on. */
    public void close() {
        closed = true;
        for (String resource : queues.keySet()) {
            Grant left = ask(resource, LocalWaitQueue::revoke);
            if (left != null) {
                release(left);
            }
        }
    }

    NodeGroup group() {
        return group;
    }

    FenceProposer proposer() {
        return proposer;
    }

    /** Takes the waiter out of the queue; returns whether it was in there. */
    boolean quit(String resource, LocalWaiter waiter) {
        return Boolean.TRUE.equals(ask(resource, queue -> queue.quit(waiter)));
    }

    /** The acquisition of the waiter has ended, with that grant or without one. */
    void settled(String resource, LocalWaiter waiter, @Nullable Grant grant) {
        Moment now = group.time().now();
        change(resource, queue -> queue.settled(waiter, grant, now));
    }

    /** This lock has been given up or lost: the next in the queue contends for it. */
    public void ended(Claim held) {
        change(held.resource(), queue -> queue.ended(held));
    }

    /** Whoever held this lock alone shares it from now on. */
    public void downgraded(Claim alone, Claim shared) {
        change(alone.resource(), queue -> queue.downgraded(alone, shared));
    }

    /**
     * Leaves the lock to the next in the queue, if that one asked for the same terms.
     *
     * @param grant that of the lock, with the validity confirmed last
     * @return false if nobody is to have it; it is still the caller's to give up
     */
    public boolean handOver(Grant grant) {
        Claim held = grant.claim();
        if (closed || !held.hasFollower()) {
            return false;
        }
        Moment now = group.time().now();
        LocalWaiter successor = ask(held.resource(), queue -> queue.offer(held, grant.follower(), now));
        // Closed meanwhile, it may have missed this lock when it looked for what nobody will claim.
        if (successor != null && (!successor.notifyOffered() || closed)) {
            decline(new Offered(successor));
        }
        return successor != null;
    }

    /**
     * Gives the lock up on all nodes. If others of this client wait for it, the first of them is put in line by the same round, and
     * waits to be called.
     */
    public Round release(Grant grant) {
        Duration timeout = grant.parameters().nodeTimeout();
        Step<Void> step = step(grant.claim().resource(), silent(queue -> queue.ended(grant.claim())));
        Acquisition acquisition = step.next == null ? null : step.next.prepare();
        WaitTicket ticket = acquisition == null ? null : acquisition.ticket();
        if (acquisition == null || ticket == null) {
            Round round = group.release(grant.claim(), grant.trace(), timeout);
            if (acquisition != null) {
                acquisition.start();
            }
            return round;
        }
        Claim claim = grant.claim().withTicket(ticket);
        Round round = group.releaseAndRequeue(claim, grant.trace(), timeout);
        acquisition.startQueued(claim, round.trace().after(grant.trace()));
        return round;
    }

    private void change(String resource, Consumer<LocalWaitQueue> change) {
        ask(resource, silent(change));
    }

    /** A change that tells nothing. */
    private static Function<LocalWaitQueue, @Nullable Void> silent(Consumer<LocalWaitQueue> nothing) {
        return queue -> {
            nothing.accept(queue);
            return null;
        };
    }

    private <T> @Nullable T ask(String resource, Function<LocalWaitQueue, @Nullable T> change) {
        Step<T> step = step(resource, change);
        if (step.next != null) {
            step.next.prepare().start();
        }
        return step.told;
    }

    private <T> Step<T> step(String resource, Function<LocalWaitQueue, @Nullable T> change) {
        Step<T> step = new Step<>();
        queues.compute(resource, (same, before) -> step.take(before == null ? new LocalWaitQueue() : before, change));
        return step;
    }

    /** Waiters of one resource and of equal terms share their final attempt. */
    private record FinalKey(String resource, LockParameters parameters) {}

    /** One step of a queue, after which whoever is first in it has to contend if nobody else does. */
    private static final class Step<T> {

        private @Nullable T told;
        private @Nullable LocalWaiter next;

        @Nullable
        LocalWaitQueue take(LocalWaitQueue queue, Function<LocalWaitQueue, @Nullable T> change) {
            told = change.apply(queue);
            next = queue.nextContender();
            return queue.isIdle() ? null : queue;
        }
    }
}
