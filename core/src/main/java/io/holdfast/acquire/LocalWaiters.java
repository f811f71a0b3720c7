package io.holdfast.acquire;

import io.holdfast.acquire.AcquireResult.Held;
import io.holdfast.node.Claim;
import io.holdfast.quorum.FenceProposer;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Round;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The local wait queues of one client, one for each resource. Only the head of a queue contends on the nodes. A lock
 * that is released soon after its grant is handed over to the next waiter without a round trip, a bounded number of
 * times. Each hand-over is a lease of its own, with a greater fence from those that the attempt reserved.
 *
 * <p>Thread-safe. A queue exists as long as this client holds the lock or waits for it.
 */
public final class LocalWaiters {

    private final NodeGroup group;
    private final NodeQueues queues;
    private final FenceProposer proposer = new FenceProposer();
    private final Map<String, LocalWaitQueue> locks = new ConcurrentHashMap<>();
    private volatile boolean closed;
    private volatile @Nullable LockParameters lastParameters;

    /** Creates an object without waiters. */
    public LocalWaiters(NodeGroup group) {
        this.group = group;
        this.queues = new NodeQueues(group);
    }

    /**
     * Acquires the lock, waiting within the limit. Cancelling the future ends the wait and leaves nothing behind.
     *
     * @param thread accepts a lock that another lease of this client hands over. Until it runs, waiters whose threads
     *     run may barge
     */
    public CompletableFuture<AcquireResult<Grant>> acquire(
            String resource, LockParameters newParameters, WaitLimit limit, Executor thread) {
        LockParameters parameters = interned(newParameters);
        Moment now = group.now();
        LockWait wait = new LockWait(queues, proposer, resource, parameters, limit, now);
        if (!limit.isWaiting()) {
            Acquisition once = Acquisition.of(wait, false, (done, failure) -> {});
            once.attempt();
            return once.result();
        }
        LocalWaiter waiter = new LocalWaiter(this, wait, thread);
        if (locks.putIfAbsent(resource, LocalWaitQueue.contendedBy(waiter)) == null) {
            return waiter.contend();
        }
        Grant barged = change(resource, queue -> queue.enqueueOrBarge(waiter, now));
        return barged == null ? waiter.begin() : CompletableFuture.completedFuture(new Held<>(barged));
    }

    /**
     * Accepts the lock that is offered to the waiter, on its thread. If another waiter has barged, or if the thread
     * woke too late for the rest of the validity, the waiter waits again at the head of the queue.
     */
    void accept(LocalWaiter waiter) {
        Grant offered = null;
        try {
            offered = change(waiter.resource(), queue -> queue.accept(waiter));
            deliver(offered, waiter);
        } catch (Throwable failure) {
            if (waiter.fail(failure) && offered != null) {
                giveBack(offered);
            }
            throw failure;
        }
    }

    private void deliver(@Nullable Grant offered, LocalWaiter waiter) {
        if (offered == null) {
            waiter.begin();
        } else if (!offered.isFresh(group.now())) {
            update(waiter.resource(), queue -> queue.enqueueFirst(waiter));
            release(offered, Duration.ZERO);
            waiter.begin();
        } else if (!waiter.granted(offered)) {
            passOn(offered);
        }
    }

    /**
     * Removes a waiter that has been cancelled. A lock that is offered to it is handed over to the next one, or
     * released.
     */
    void leave(LocalWaiter waiter) {
        Grant offered = change(waiter.resource(), queue -> queue.leave(waiter));
        if (offered != null) {
            passOn(offered);
        }
    }

    private void passOn(Grant offered) {
        if (!handOver(offered)) {
            release(offered, Duration.ZERO);
        }
    }

    /** Returns {@code true} if a waiter asks the nodes for the lock; if none does, this client holds it. */
    boolean isContending(String resource) {
        return Boolean.TRUE.equals(change(resource, LocalWaitQueue::isContending));
    }

    /** Returns the last outcome of the waiters that asked the nodes; null: none yet, or this client holds the lock. */
    @Nullable
    public Outcome known(String resource) {
        return change(resource, LocalWaitQueue::known);
    }

    /** Returns one object for equal parameters: there may be very many leases, nearly always with equal ones. */
    private LockParameters interned(LockParameters parameters) {
        LockParameters last = lastParameters;
        if (last != null && last.equals(parameters)) {
            return last;
        }
        lastParameters = parameters;
        return parameters;
    }

    /** Takes over a lock that was granted to another client; see {@link Resumption}. */
    public CompletableFuture<AcquireResult<Grant>> resume(Claim granted, LockParameters parameters) {
        return Resumption.of(group, proposer, granted, interned(parameters));
    }

    /** Releases the locks whose offers have not been accepted, and prevents later hand-overs. */
    public void close() {
        closed = true;
        for (String resource : locks.keySet()) {
            Grant offered = change(resource, LocalWaitQueue::revoke);
            if (offered != null) {
                release(offered, Duration.ZERO);
            }
        }
    }

    /** Releases a lock that was granted to a waiter that has ended. */
    void giveBack(Grant grant) {
        queues.release(grant);
        ended(grant.claim());
    }

    /** Removes the waiter from the queue; returns {@code true} if it was queued. */
    boolean remove(String resource, LocalWaiter waiter) {
        return Boolean.TRUE.equals(change(resource, queue -> queue.remove(waiter)));
    }

    /** Records the end of a contender's acquisition; see {@link LocalWaitQueue#contenderSettled}. */
    List<LocalWaiter> contenderSettled(LocalWaiter waiter, @Nullable Grant grant, boolean isInVain) {
        return Objects.requireNonNull(
                change(waiter.resource(), queue -> queue.contenderSettled(waiter, grant, isInVain)));
    }

    /** Records the release or the loss of this lock: the next waiter contends for it. */
    public void ended(Claim held) {
        update(held.resource(), queue -> queue.ended(held));
    }

    /** Records that an exclusive hold is shared from now on: the next waiter contends for the lock. */
    public void downgraded(Claim exclusive, Claim shared) {
        update(exclusive.resource(), queue -> queue.downgraded(exclusive, shared));
    }

    /**
     * Offers the lock to the next waiter in the queue, if it uses equal parameters.
     *
     * @param grant the grant of the lock, with the validity confirmed last
     * @return false if no waiter gets the offer; then the caller has to release the lock
     */
    public boolean handOver(Grant grant) {
        if (closed) {
            return false;
        }
        Moment now = group.now();
        LocalWaiter successor = change(grant.claim().resource(), queue -> queue.offer(grant, now));
        if (successor != null && closed) {
            // A concurrent close() may have missed this offer.
            leave(successor);
        } else if (successor != null) {
            successor.wake();
        }
        return successor != null;
    }

    /**
     * Releases the lock on all nodes. If this client has a next waiter, the same round puts it in the wait queue of the
     * nodes, where it waits for a notification. If the nodes retain the lock, that waiter contends when the hold has
     * {@linkplain #ended ended}, and learns from them when the lock will be free.
     *
     * @param keep the time for which the nodes retain the lock, or zero
     */
    public Round release(Grant grant, Duration keep) {
        if (!keep.isZero()) {
            return queues.retain(grant, keep);
        }
        Claim held = grant.claim();
        Change<Void> change = apply(held.resource(), queue -> {
            queue.ended(held);
            return null;
        });
        Acquisition next = prepared(change.contender);
        if (next != null && next.ticket() != null) {
            return startQueued(next, grant);
        }
        Round round = queues.release(grant);
        if (next != null) {
            begin(next);
        }
        return round;
    }

    /** An error of the thread that releases must not end the wait of the next waiter. */
    private Round startQueued(Acquisition next, Grant grant) {
        try {
            return next.startQueued(grant);
        } catch (Throwable ofThisThread) {
            begin(next);
            throw ofThisThread;
        }
    }

    /** Changes a queue as {@link #change} does, without a result. */
    private void update(String resource, Consumer<LocalWaitQueue> step) {
        change(resource, queue -> {
            step.accept(queue);
            return null;
        });
    }

    /**
     * Changes a queue in one atomic step and returns the result. Afterwards its head contends if no other local waiter
     * does.
     */
    private <T> @Nullable T change(String resource, Function<LocalWaitQueue, @Nullable T> step) {
        Change<T> change = apply(resource, step);
        contend(change.contender);
        return change.result;
    }

    private void contend(@Nullable LocalWaiter contender) {
        Acquisition next = prepared(contender);
        if (next != null) {
            begin(next);
        }
    }

    /** Prepares a waiter on the thread of another caller, whose error must not end that wait: null if it failed. */
    private @Nullable Acquisition prepared(@Nullable LocalWaiter contender) {
        try {
            return contender == null ? null : contender.prepare();
        } catch (Throwable ofThisThread) {
            group.time().schedule(Duration.ZERO, () -> contend(contender));
            return null;
        }
    }

    /** Begins the acquisition of a waiter on the thread of another caller, whose error must not end that wait. */
    private void begin(Acquisition acquisition) {
        try {
            acquisition.attempt();
        } catch (Throwable ofThisThread) {
            group.time().schedule(Duration.ZERO, acquisition::attempt);
        }
    }

    private <T> Change<T> apply(String resource, Function<LocalWaitQueue, @Nullable T> step) {
        Change<T> change = new Change<>();
        locks.compute(resource, (same, before) -> {
            LocalWaitQueue queue = before == null ? new LocalWaitQueue() : before;
            change.result = step.apply(queue);
            change.contender = queue.nextContender();
            return queue.isUnused() ? null : queue;
        });
        return change;
    }

    /** The result of an atomic change of a queue, and the waiter that has to contend after it. */
    private static final class Change<T> {

        private @Nullable T result;
        private @Nullable LocalWaiter contender;
    }
}
