package io.holdfast.acquire;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.node.WaitTicket;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.Outcome;
import io.holdfast.time.Moment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The position of one waiter in the wait queues of the nodes, which notify it, and the fences of its claims. At first
 * there is no position. Thread-safe.
 */
final class QueuePosition {

    private final LockWait wait;
    private final WakeUpInbox inbox;
    private volatile @Nullable WaitTicket ticket;
    /** The moment of the first claim; null before it. */
    private volatile @Nullable Moment begun;

    QueuePosition(LockWait wait) {
        this.wait = wait;
        this.inbox = wait.queues().inbox();
    }

    /** Returns the position, or null if there is none. */
    @Nullable
    WaitTicket ticket() {
        return ticket;
    }

    /**
     * Returns the next claim, with an owner of its own and the position, if there is one.
     *
     * @param contended whether other waiters of this client contend for the lock
     */
    Claim nextClaim(boolean contended) {
        LockParameters parameters = wait.parameters();
        int followers = parameters.followers(contended);
        FencingToken fence = proposeFence(Claim.fencesFor(followers));
        return Claim.acquire(wait.resource(), wait.group().freshOwner(), parameters.ttl(), fence)
                .withFollowers(followers)
                .withMode(parameters.mode())
                .withTicket(ticket);
    }

    /**
     * Returns the first fence of the next claim. While an earlier claim with a position may still stand, the fence
     * counts from the first one, as the position does: the claims behind it, which began later, are greater and stand
     * on. A claim without a position does not stand, and counts from now.
     *
     * @param more how far the greatest fence of the claim lies above its first; even
     */
    private FencingToken proposeFence(long more) {
        Moment now = wait.now();
        Moment first = begun;
        if (first == null || ticket == null || now.since(first).compareTo(Claim.LONGEST_STANDING_AGE) > 0) {
            first = now;
            begun = now;
        }
        return wait.proposer().propose(first, more);
    }

    /**
     * Draws a position before the first claim, if the nodes will probably refuse that, or if the lock is fair.
     *
     * @param contended whether other waiters of this client contend for the lock
     */
    void drawFirst(WakeUpInbox.Subscriber waiter, boolean contended) {
        if (contended
                || wait.parameters().fair()
                || wait.queues().contended().contains(wait.resource(), wait.since())) {
            draw(waiter);
        }
    }

    /**
     * Learns that a claim was refused. Draws a position if it had none, or the last one.
     *
     * @param isFirst whether it was the first claim of the waiter
     * @return true if the next claim should follow at once: it has another position, or the first one does not stand on
     *     a majority of the nodes, such as after concurrent claims or because the clock of this client is behind
     */
    boolean refused(WakeUpInbox.Subscriber waiter, Claim claim, Outcome outcome, boolean isFirst) {
        wait.queues().contended().met(wait.resource(), wait.now());
        WaitTicket sent = claim.ticket();
        if (sent == null || sent.isLast()) {
            draw(waiter);
        }
        WaitTicket present = ticket;
        return !Objects.equals(present, sent) || (isFirst && present != null && !outcome.standsWith(claim.fence()));
    }

    /**
     * Ends the notifications of a waiter that was granted the lock.
     *
     * @param waited whether another client had the lock before
     */
    void granted(WakeUpInbox.Subscriber waiter, boolean waited) {
        leave(waiter);
        if (waited) {
            wait.queues().contended().met(wait.resource(), wait.now());
        } else {
            wait.queues().contended().wasFree(wait.resource());
        }
    }

    /** Draws a position, if the waiter may wait and enough nodes can notify it. */
    private void draw(WakeUpInbox.Subscriber waiter) {
        if (!wait.limit().isWaiting()) {
            return;
        }
        LockParameters parameters = wait.parameters();
        ticket = inbox.ticket(wait.resource(), wait.since(), parameters.fair(), parameters.mode());
        if (ticket != null) {
            inbox.add(wait.resource(), waiter);
        }
    }

    /** Ends the notifications of the waiter. */
    void leave(WakeUpInbox.Subscriber waiter) {
        inbox.remove(wait.resource(), waiter);
    }
}
