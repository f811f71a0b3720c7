package io.holdfast.acquire;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.quorum.AttemptTrace;
import io.holdfast.quorum.Drift;
import io.holdfast.quorum.LockParameters;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.quorum.NodeSets;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Round;
import io.holdfast.quorum.Validity;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of an acquisition, which counts the grants of its standing claim. After its round, its claim may stand on
 * the nodes: each node grants it when the lock becomes free there, and notifies the client. The grants of different
 * attempts never count together, because a lease has one owner and one fencing token.
 *
 * <p>Thread-safe.
 */
final class Attempt {

    /** Half the time for which a node remembers the position of a waiter after its last attempt. */
    private static final Duration REMEMBERED = Duration.ofMinutes(5);

    private final Claim claim;
    private final NodeGroup group;
    private long grantedBy;
    /** The nodes of the sets that had granted the claim before it stood; none, unless there are several sets. */
    private long grantedBefore;

    private State state = State.ASKING;
    /** The round until it has ended. */
    private volatile @Nullable Round open;

    private volatile @Nullable AttemptTrace trace;
    /** The moment before the claim was sent; known after the round. */
    private volatile @Nullable Moment begun;

    private enum State {
        ASKING,
        STANDING,
        OVER,
        RELEASED
    }

    /** The effect of a grant by one node. */
    enum Count {
        /** A majority has granted the attempt, which is over for its acquisition: no other call returns this. */
        MAJORITY,
        /** For the first time, a node has granted the standing attempt that had refused it. */
        FIRST,
        /** No decision. */
        NONE
    }

    /** Creates an attempt whose claim is about to be sent. */
    Attempt(Claim claim, NodeGroup group) {
        this.claim = claim;
        this.group = group;
    }

    /** Returns the attempt of a lease whose release has left a position in the wait queues. */
    static Attempt released(Claim claim, AttemptTrace trace, NodeGroup group) {
        Attempt attempt = new Attempt(claim, group);
        attempt.trace = trace;
        attempt.state = State.RELEASED;
        return attempt;
    }

    /** Returns {@code true} for the attempt of a lease that was released. */
    synchronized boolean isReleased() {
        return state == State.RELEASED;
    }

    Claim claim() {
        return claim;
    }

    /** Returns the nodes on which the attempt may have left a lock; known after the round. */
    AttemptTrace trace() {
        return known(trace);
    }

    /** Returns the lock that the nodes have granted to the attempt by now; known after the round. */
    Grant grant(Validity validity, LockParameters parameters, Moment now) {
        return new Grant(claim.withTicket(null), trace(), validity, parameters, now.nanos());
    }

    private Moment begun() {
        return known(begun);
    }

    private static <T> T known(@Nullable T fromTheRound) {
        if (fromTheRound == null) {
            throw new IllegalStateException("The round of the attempt has not ended");
        }
        return fromTheRound;
    }

    /** Records the round, which ends at once if the attempt is over already, and returns it. */
    Round asking(Round round) {
        boolean isOver;
        synchronized (this) {
            open = round;
            isOver = state == State.OVER;
        }
        if (isOver) {
            round.abandon();
        }
        return round;
    }

    /** Records the end of the round. */
    void asked(Round round) {
        begun = round.begun();
        trace = round.trace();
        open = null;
    }

    /** Returns the validity of the lease if the nodes grant the standing claim; known after the round. */
    Validity standingValidity(Drift drift) {
        return Validity.of(begun(), claim.standing().ttl(), drift);
    }

    /** Reports the nodes that answer the round late with a grant. */
    void follow(Round round, int nodes, IntConsumer onGrant) {
        for (int i = 0; i < nodes; i++) {
            int node = i;
            round.reply(i).thenAccept(reply -> {
                if (reply instanceof Reply.Granted) {
                    onGrant.accept(node);
                }
            });
        }
    }

    /**
     * Leaves the claim on the nodes, unless the attempt is over. Returns the effect of the grants until now.
     *
     * @param won the nodes of the sets that have granted the claim in its round
     */
    synchronized Count stand(long won) {
        if (state != State.ASKING) {
            return Count.NONE;
        }
        state = State.STANDING;
        grantedBefore = won;
        return decided(false);
    }

    /** Counts the grant of a node. */
    synchronized Count granted(int node) {
        boolean isHandedOver = isHandedOver();
        grantedBy |= NodeSets.node(node);
        return state == State.STANDING ? decided(isHandedOver) : Count.NONE;
    }

    private Count decided(boolean wasHandedOver) {
        if (group.isMajority(grantedBy)) {
            state = State.OVER;
            return Count.MAJORITY;
        }
        return isHandedOver() && !wasHandedOver ? Count.FIRST : Count.NONE;
    }

    /** Returns {@code true} if a node has granted the claim that had refused it, as far as is known. */
    private boolean isHandedOver() {
        return (grantedBy & ~grantedBefore) != 0;
    }

    /** Returns {@code true} if an attempt after this one may succeed, since these nodes have notified its waiter. */
    static boolean isEnough(@Nullable Attempt before, long notifiers, NodeGroup group) {
        return group.isMajority(notifiers | (before == null ? 0 : before.grantedBefore()));
    }

    private synchronized long grantedBefore() {
        return grantedBefore;
    }

    /**
     * Ends the attempt, and its round: what the nodes have granted is released at once, not at the node timeout.
     * Returns {@code true} if its claim stood until now, so that the caller has to withdraw it.
     */
    boolean end() {
        boolean stood;
        synchronized (this) {
            stood = state == State.STANDING;
            state = state == State.RELEASED ? state : State.OVER;
        }
        Round asking = open;
        if (asking != null) {
            asking.abandon();
        }
        return stood;
    }

    /**
     * Returns {@code true} if the claim stands on the nodes, none has granted it as far as is known, and they will
     * remember the position of its waiter for some minutes.
     */
    synchronized boolean isWaiting(Moment now) {
        return state == State.STANDING
                && !isHandedOver()
                && now.surelySince(begun()).compareTo(REMEMBERED) < 0;
    }

    /** Returns {@code true} if this node has granted the attempt as far as is known. */
    synchronized boolean isGrantedBy(int node) {
        return (grantedBy & NodeSets.node(node)) != 0;
    }

    /** Returns {@code true} if the claim is to stand on the nodes, is above this fence, and is recent enough. */
    synchronized boolean standsAbove(FencingToken fence, Moment now) {
        Moment known = begun;
        Duration half = Durations.part(claim.standingAge(), 2);
        boolean recent = known == null || now.surelySince(known).compareTo(half) < 0;
        return (state == State.ASKING || state == State.STANDING)
                && recent
                && claim.ticket() != null
                && claim.fence().isAbove(fence);
    }

    /** Takes the next step after a round. If that fails, such as for lack of memory, nothing else goes on. */
    static CompletableFuture<Void> after(Round round, Consumer<Outcome> step, Consumer<Throwable> onFailure) {
        return round.settled().thenAccept(step).whenComplete((done, failure) -> {
            if (failure != null) {
                onFailure.accept(failure.getCause());
            }
        });
    }
}
