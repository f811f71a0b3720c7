package io.holdfast.quorum;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.Majority;
import io.holdfast.node.Reply;
import io.holdfast.node.WaitTicket;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * The nodes of one client. Claims are asked in rounds; releases are repeated until they are acknowledged.
 *
 * <p>Thread-safe.
 */
public final class NodeGroup {

    private final List<LockNode> nodes;
    private final Time time;
    private final Supplier<Owner> owners;
    private final RandomGenerator random;
    private final WakeUpInbox inbox;
    private final Cleanup cleanup;
    private final ReplyTimes replyTimes;

    /**
     * Creates a group.
     *
     * @param nodes all configured nodes, each of which is a vote
     * @param time the clocks and timers
     * @param owners returns a fresh, unguessable owner at each call
     * @param random for delays; never for owners
     */
    public NodeGroup(List<LockNode> nodes, Time time, Supplier<Owner> owners, RandomGenerator random) {
        this.nodes = nodes;
        this.time = time;
        this.owners = owners;
        this.random = random;
        this.inbox = new WakeUpInbox(random, nodes, time);
        this.cleanup = new Cleanup(nodes, time, random);
        this.replyTimes = new ReplyTimes(nodes.size());
        inbox.open();
    }

    /** Returns all nodes, in the order in which they were given. */
    public List<LockNode> nodes() {
        return nodes;
    }

    /** Returns the clocks and timers. */
    public Time time() {
        return time;
    }

    /** Returns the source of random delays. */
    public RandomGenerator random() {
        return random;
    }

    /** Returns the inbox that receives the nodes' notifications. */
    public WakeUpInbox inbox() {
        return inbox;
    }

    /**
     * Learns from the outcome of a round.
     *
     * @param sent the moment before the round
     */
    public void learn(Outcome outcome, Moment sent, Moment now) {
        inbox.learn(outcome, sent, now);
    }

    /** Returns the least number of nodes that is a majority. */
    public int majority() {
        return Majority.of(nodes.size());
    }

    /** Returns an owner for a new attempt. */
    public Owner freshOwner() {
        return owners.get();
    }

    /** Asks all nodes in one round. */
    public Round ask(Claim claim, Duration nodeTimeout) {
        return Round.start(nodes, claim, nodeTimeout, time);
    }

    /**
     * Asks all nodes in one round of an acquisition. If a majority has voted without a decision, another attempt
     * follows, so the round waits for the others only as long as they usually take.
     */
    public Round attempt(Claim claim, NodePatience patience) {
        Round round =
                Round.start(nodes, claim, patience.nodeTimeout(), hasReplied -> usualReply(patience, hasReplied), time);
        for (int i = 0; i < nodes.size(); i++) {
            int node = i;
            round.reply(i).thenAccept(reply -> {
                if (!(reply instanceof Reply.Failed)) {
                    replyTimes.replied(node, time.now().since(round.begun()));
                }
            });
        }
        return round;
    }

    /** Returns the longest time within which the nodes that have not replied usually do. */
    public Duration usualReply(NodePatience patience, IntPredicate hasReplied) {
        return replyTimes.limit(patience, hasReplied);
    }

    /** Asks all nodes for many claims at once, each in a round of its own. */
    public List<Round> askAll(List<Claim> claims, Duration nodeTimeout) {
        return Round.startAll(nodes, claims, nodeTimeout, time);
    }

    /**
     * Begins work that {@link #settled} waits for. It is registered before it begins: otherwise a client that is closed
     * by another thread at that moment would close its nodes before the work can release what it has claimed.
     */
    public void track(Supplier<? extends CompletableFuture<?>> beginning) {
        cleanup.track(beginning);
    }

    /** Runs work that {@link #settled} waits for, from before its beginning. */
    public void trackNow(Runnable work) {
        cleanup.track(() -> {
            work.run();
            return CompletableFuture.completedFuture(null);
        });
    }

    /**
     * Completes when each attempt that was under way has been granted or released, as far as nodes answer in time. Work
     * that was delayed begins at once. To be called when the client closes.
     */
    public CompletableFuture<Void> settled() {
        return cleanup.settled();
    }

    /**
     * Releases the lock of the claim on all nodes; see {@link Cleanup#release}. The waiter leaves the wait queues as
     * well, unless another waiter of this client has the same position.
     */
    public Round release(Claim claim, AttemptTrace origin, Duration nodeTimeout) {
        return cleanup.release(claim.release(), this::positioned, origin, nodeTimeout);
    }

    /** Releases the lock of the claim as {@link #release} does, while its waiter stays in the wait queues. */
    public Round releaseAndRequeue(Claim claim, AttemptTrace origin, Duration nodeTimeout) {
        return cleanup.release(claim.releaseAndRequeue(), this::positioned, origin, nodeTimeout);
    }

    /** Takes back an attempt that was not granted, on all nodes as {@link #release} does. */
    public Round withdraw(Claim claim, AttemptTrace origin, Duration nodeTimeout) {
        return cleanup.release(claim.withdraw(), this::positioned, origin, nodeTimeout);
    }

    /** Takes back an attempt as {@link #withdraw} does, while its waiter stays in the wait queues. */
    public Round withdrawAndRequeue(Claim claim, AttemptTrace origin, Duration nodeTimeout) {
        return cleanup.release(claim.withdrawAndRequeue(), this::positioned, origin, nodeTimeout);
    }

    /**
     * Releases the lock of the claim on all nodes as {@link #release} does, but they keep it for this long from now. A
     * repeated release carries the time that is left.
     */
    public Round retain(Claim claim, AttemptTrace origin, Duration nodeTimeout, Duration keep) {
        Moment begun = time.now();
        UnaryOperator<Claim> current = release -> {
            Duration left = Durations.toWholeMillis(keep.minus(time.now().surelySince(begun)));
            return left.isZero() ? release : release.retain(left);
        };
        return cleanup.release(claim.release(), current, origin, nodeTimeout);
    }

    /**
     * Returns the release as it has to be sent now. A client has one position in the wait queue of a resource: an
     * attempt leaves the queue only if no other waiter of this client has the position, and stays in it only if one
     * does.
     */
    private Claim positioned(Claim release) {
        WaitTicket ticket = release.ticket();
        if (ticket == null) {
            return release;
        }
        boolean queued = inbox.isQueued(release.resource(), ticket);
        if (release.isRequeued()) {
            return queued ? release : release.servesNext() ? release.release() : release.withdraw();
        }
        return queued ? release.withTicket(null) : release;
    }

    /** Removes a granted claim from the wait queues of the nodes that have not granted it in its round. */
    public void leaveQueues(Claim granted, Round round) {
        if (!hasToLeave(granted)) {
            return;
        }
        Claim leaving = leaving(granted);
        for (int i = 0; i < nodes.size(); i++) {
            LockNode node = nodes.get(i);
            round.reply(i).thenAccept(reply -> {
                if (!(reply instanceof Reply.Granted)) {
                    cleanup.send(node, leaving);
                }
            });
        }
    }

    /**
     * Removes a granted standing claim from the wait queues of the nodes that have not carried it out by the end of this
     * delay. Before that, a node that is only a little later than the others can still store the lock.
     */
    public void leaveQueuesAfter(Duration delay, Claim granted, IntPredicate isGrantedBy) {
        boolean byAll = IntStream.range(0, nodes.size()).allMatch(isGrantedBy);
        if (hasToLeave(granted) && !byAll) {
            cleanup.trackAfter(delay, () -> leaveQueues(granted, isGrantedBy));
        }
    }

    /** Does nothing if the client is queued again by now: then it keeps its position. */
    private void leaveQueues(Claim granted, IntPredicate isGrantedBy) {
        if (isQueued(granted)) {
            return;
        }
        Claim leaving = leaving(granted);
        for (int i = 0; i < nodes.size(); i++) {
            if (!isGrantedBy.test(i)) {
                cleanup.send(nodes.get(i), leaving);
            }
        }
    }

    /** Returns {@code true} if the granted attempt has a position to leave, which no other waiter of this client has. */
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
        return Claim.acquire(granted.resource(), freshOwner(), granted.ttl(), FencingToken.NONE)
                .withMode(granted.mode())
                .withTicket(granted.ticket())
                .withdraw();
    }
}
