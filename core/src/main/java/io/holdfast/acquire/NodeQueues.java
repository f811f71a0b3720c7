package io.holdfast.acquire;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.node.WaitTicket;
import io.holdfast.quorum.AttemptTrace;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.quorum.Round;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The positions of one client in the wait queues of its nodes. A client has one position for each resource and mode, so
 * each claim that ends an attempt depends on its other waiters. Thread-safe.
 */
public final class NodeQueues {

    private final NodeGroup group;
    private final WakeUpInbox inbox;
    private final ContendedLocks contended = new ContendedLocks();

    /** Creates an object without positions, and subscribes to the notifications of the nodes. */
    public NodeQueues(NodeGroup group) {
        this.group = group;
        this.inbox = new WakeUpInbox(group.client(), group.voters(), group.time());
        inbox.open();
    }

    /** Returns the nodes. */
    NodeGroup group() {
        return group;
    }

    /** Returns the inbox that receives the nodes' notifications. */
    WakeUpInbox inbox() {
        return inbox;
    }

    /** Returns the locks that other clients have had lately. */
    ContendedLocks contended() {
        return contended;
    }

    /** Sends a release or a withdrawal to all nodes; see {@link NodeGroup#release}. */
    Round end(Claim release, AttemptTrace origin, Duration nodeTimeout) {
        return group.release(release, this::positioned, origin, nodeTimeout);
    }

    /** Releases the lock of a lease on all nodes. */
    Round release(Grant lease) {
        return end(lease.claim().release(), lease.trace(), lease.parameters().nodeTimeout());
    }

    /** Ends a lease on all nodes, which keep its lock for this long from now. A repetition carries the time left. */
    Round retain(Grant lease, Duration keep) {
        Moment begun = group.now();
        UnaryOperator<Claim> now = release -> {
            Duration left = Durations.toWholeMillis(keep.minus(group.now().surelySince(begun)));
            return left.isZero() ? release : release.retain(left);
        };
        return group.release(
                lease.claim().release(), now, lease.trace(), lease.parameters().nodeTimeout());
    }

    /** Returns the release as it has to be sent now: its position stays queued while a waiter of this client has it. */
    private Claim positioned(Claim release) {
        return release.withRequeue(isQueued(release));
    }

    /** Removes a granted claim from the wait queues of the nodes that have not granted it in its round. */
    void leave(Claim granted, Round round) {
        if (!hasToLeave(granted)) {
            return;
        }
        Claim leaving = leaving(granted);
        for (int i = 0; i < group.nodes().size(); i++) {
            int node = i;
            round.reply(i).thenAccept(reply -> {
                if (!(reply instanceof Reply.Granted)) {
                    group.send(node, leaving);
                }
            });
        }
    }

    /**
     * Removes a granted standing claim from the wait queues of the nodes that have not carried it out by the end of
     * this delay. Before that, a node that is only a little later than the others can still store the lock.
     */
    public void leaveAfter(Duration delay, Claim granted, IntPredicate isGrantedBy) {
        if (hasToLeave(granted) && missing(isGrantedBy).findAny().isPresent()) {
            group.trackAfter(delay, () -> leaveNow(granted, isGrantedBy));
        }
    }

    /** Does nothing if the client is queued again by now: then it keeps its position. */
    private void leaveNow(Claim granted, IntPredicate isGrantedBy) {
        if (!isQueued(granted)) {
            Claim leaving = leaving(granted);
            missing(isGrantedBy).forEach(node -> group.send(node, leaving));
        }
    }

    private IntStream missing(IntPredicate isGrantedBy) {
        return IntStream.range(0, group.nodes().size()).filter(isGrantedBy.negate());
    }

    /**
     * Returns {@code true} if the granted attempt has a position to leave, which no other waiter of this client has.
     */
    private boolean hasToLeave(Claim granted) {
        WaitTicket ticket = granted.ticket();
        boolean isQueued = isQueued(granted);
        if (ticket != null && isQueued) {
            // The nodes have taken the granted attempt out of the queue, and with it the position of this waiter.
            inbox.rejoin(granted.resource(), ticket);
        }
        return ticket != null && !isQueued;
    }

    private boolean isQueued(Claim claim) {
        WaitTicket ticket = claim.ticket();
        return ticket != null && inbox.isQueued(claim.resource(), ticket);
    }

    /** Returns the claim that leaves the wait queues in the place of a granted one. */
    private Claim leaving(Claim granted) {
        return Claim.acquire(granted.resource(), group.freshOwner(), granted.ttl(), FencingToken.NONE)
                .withMode(granted.mode())
                .withTicket(granted.ticket())
                .withdraw();
    }
}
