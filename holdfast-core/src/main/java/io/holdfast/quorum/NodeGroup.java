package io.holdfast.quorum;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.Reply;
import io.holdfast.node.WaitTicket;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

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
    private final Reachability reachability = new Reachability();
    private final Cleanup cleanup;

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

    /** Returns the record of whether enough nodes answer. */
    public Reachability reachability() {
        return reachability;
    }

    /** Returns the least number of nodes that is a quorum. */
    public int majority() {
        return Tally.of(nodes.size()).majority();
    }

    /** Returns an owner for a new attempt. */
    public Owner freshOwner() {
        return owners.get();
    }

    /** Asks all nodes in one round. */
    public Round ask(Claim claim, Duration nodeTimeout) {
        return Round.start(nodes, claim, nodeTimeout, time);
    }

    /** Asks all nodes for many claims at once, each in a round of its own. */
    public List<Round> askAll(List<Claim> claims, Duration nodeTimeout) {
        return Round.startAll(nodes, claims, nodeTimeout, time);
    }

    /** Adds a round that releases by itself what it does not keep, for {@link #settled} to wait for. */
    public void track(CompletableFuture<?> underWay) {
        cleanup.track(underWay);
    }

    /** Completes when each attempt that was under way has been granted or released, as far as nodes answer in time. */
    public CompletableFuture<Void> settled() {
        return cleanup.settled();
    }

    /**
     * Releases, on all nodes, what the claim has left or may still leave there; see {@link Cleanup#release}. A waiter leaves the wait
     * queues as well, unless another waiter of this client has the position.
     */
    public Round release(Claim claim, AttemptTrace origin, Duration nodeTimeout) {
        return cleanup.release(claim.release(), this::leaving, origin, nodeTimeout);
    }

    /** Releases what the claim has left, as {@link #release} does, while its waiter stays in the wait queues. */
    public Round releaseAndRequeue(Claim claim, AttemptTrace origin, Duration nodeTimeout) {
        return cleanup.release(claim.releaseAndRequeue(), this::leaving, origin, nodeTimeout);
    }

    /**
     * Returns the release as it has to be sent now. A client has one position in the wait queue of a resource: an attempt gives it up only
     * if no other waiter of this client has it, and keeps it only if one does.
     */
    private Claim leaving(Claim release) {
        WaitTicket ticket = release.ticket();
        if (ticket == null) {
            return release;
        }
        boolean queued = inbox.isQueued(release.resource(), ticket);
        boolean leaves = release.action() == Claim.Action.RELEASE;
        return leaves && queued ? release.withTicket(null) : !leaves && !queued ? release.release() : release;
    }

    /** Takes a client whose claim was granted out of the wait queues of the nodes that refused, or may have refused, the claim. */
    public void leaveQueues(Claim granted, Round round) {
        WaitTicket ticket = granted.ticket();
        if (ticket == null) {
            return;
        }
        if (inbox.isQueued(granted.resource(), ticket)) {
            // The nodes have taken the granted attempt out of the queue, and with it the position of this waiter.
            inbox.rejoin(granted.resource(), ticket);
            return;
        }
        Claim leaving = Claim.acquire(granted.resource(), freshOwner(), granted.ttl(), FencingToken.NONE)
                .withMode(granted.mode())
                .withTicket(ticket)
                .release();
        for (int i = 0; i < nodes.size(); i++) {
            LockNode node = nodes.get(i);
            round.reply(i).thenAccept(reply -> {
                if (!(reply instanceof Reply.Granted)) {
                    Round.ask(node, leaving);
                }
            });
        }
    }
}
