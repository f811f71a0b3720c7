package io.holdfast.node.memory;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.WakeUp;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node in this process: an executable description of the Redis scripts, and a test double for code that uses locks.
 * Locks expire by the given {@link Time}. Replies are complete when {@link #ask} returns.
 *
 * <p>Thread-safe. Notifications are delivered by {@link Time#execute}.
 */
public final class InMemoryNode implements LockNode {

    private final String name;
    private final Time time;
    private final boolean guarded;
    private final LockTable locks = new LockTable();
    private final ExpiringMap<FencingToken> fences = new ExpiringMap<>();
    private final Subscriptions inboxes;
    private final WaitQueues queues;
    private NodeMarker marker = NodeMarker.NONE;
    private int run = 1;

    /** Creates a node that votes at once, also after a restart. Locks expire by the given time. */
    public InMemoryNode(String name, Time time) {
        this(name, time, false);
    }

    private InMemoryNode(String name, Time time, boolean guarded) {
        this.name = name;
        this.time = time;
        this.inboxes = new Subscriptions(time::execute);
        this.queues = new WaitQueues(inboxes);
        this.guarded = guarded;
    }

    /** Returns a new node that begins in quarantine, and is in quarantine again after each restart. */
    public static InMemoryNode guarded(String name, Time time) {
        return new InMemoryNode(name, time, true);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public synchronized CompletionStage<Reply> ask(Claim claim) {
        Moment now = time.now();
        locks.expire(now);
        fences.expire(now);
        queues.expire(now);
        return CompletableFuture.completedFuture(
                switch (claim.action()) {
                    case ACQUIRE -> !votes() ? new Reply.Quarantined(marker.left()) : acquire(claim, now);
                    case EXTEND -> extend(claim, now);
                    case REPAIR -> !votes() ? new Reply.Quarantined(marker.left()) : repair(claim, now);
                    case RELEASE, RELEASE_AND_REQUEUE -> release(claim, now);
                });
    }

    private Reply acquire(Claim claim, Moment now) {
        if (locks.has(claim)) {
            return Reply.GRANTED;
        }
        if (locks.blocks(claim) || queues.mustWait(claim, locks, fence(claim.resource()), now)) {
            return refusedAndQueued(claim, now);
        }
        Reply rejection = rejection(claim, now);
        if (rejection != null) {
            return rejection;
        }
        queues.granted(claim, now);
        return set(claim, now);
    }

    /** Returns the reply that rejects the proposed fence; null if the fence is acceptable. */
    private @Nullable Reply rejection(Claim claim, Moment now) {
        FenceBounds bounds = marker.fences();
        if (fences.get(claim.resource()) == null || claim.fence().isAbove(bounds.gmax())) {
            bounds = turned(now);
        }
        FencingToken accepted = fence(claim.resource()).max(bounds.floor());
        if (!claim.fence().isAbove(accepted)) {
            return new Reply.Stale(accepted);
        }
        return bounds.isAhead(claim.fence(), now.wallMicros())
                ? new Reply.Ahead(bounds.present(now.wallMicros()))
                : null;
    }

    private Reply refusedAndQueued(Claim claim, Moment now) {
        String resource = claim.resource();
        queues.refused(claim, now);
        Duration left = locks.isFree(resource) ? queues.reservationLeft(resource, now) : locks.left(resource, now);
        Owner holder = locks.of(resource);
        return new Reply.Refused(left, fence(resource), now.wallMicros(), holder == null ? "" : holder.mark());
    }

    private Reply extend(Claim claim, Moment now) {
        if (!locks.has(claim)) {
            return refused(claim, now);
        }
        if (locks.extend(claim, now)) {
            queues.downgraded(claim.resource(), fence(claim.resource()), now);
        }
        return Reply.GRANTED;
    }

    private Reply repair(Claim claim, Moment now) {
        if (locks.has(claim) || locks.blocks(claim)) {
            return extend(claim, now);
        }
        Reply rejection = rejection(claim, now);
        return rejection == null ? set(claim, now) : rejection;
    }

    private Reply set(Claim claim, Moment now) {
        fences.put(claim.resource(), claim.greatestFence(), now, FenceBounds.FENCE_LIFE);
        marker = marker.with(marker.fences().accepted(claim.greatestFence()));
        locks.take(claim, now);
        return Reply.GRANTED;
    }

    private Reply release(Claim claim, Moment now) {
        boolean ours = locks.has(claim);
        Reply reply = ours ? Reply.GRANTED : refused(claim, now);
        boolean becameFree = locks.release(claim, now);
        seal(claim, ours, now);
        queues.released(claim, ours, becameFree, locks, fence(claim.resource()), now);
        return reply;
    }

    /**
     * Raises the fence, so that the node rejects late claims of the attempt. That is not necessary if the node has
     * accepted the greatest fence of the attempt. A fence in the far future is not accepted as a seal: it would block
     * the resource.
     */
    private void seal(Claim claim, boolean ours, Moment now) {
        FencingToken accepted = fence(claim.resource());
        FencingToken seal = claim.greatestFence().next();
        boolean isSealed = ours && !claim.isShared() && !claim.greatestFence().isAbove(accepted);
        if (isSealed || !seal.isAbove(accepted)) {
            return;
        }
        FenceBounds bounds = marker.fences();
        if (accepted.equals(FencingToken.NONE) || seal.isAbove(bounds.gmax())) {
            bounds = turned(now);
        }
        if (!bounds.isAhead(seal, now.wallMicros())) {
            fences.put(claim.resource(), seal, now, FenceBounds.FENCE_LIFE);
        }
    }

    private FenceBounds turned(Moment now) {
        marker = marker.with(marker.fences().turned(now.wallMicros()));
        return marker.fences();
    }

    private Reply refused(Claim claim, Moment now) {
        return new Reply.Refused(locks.blockedFor(claim, now), fence(claim.resource()), 0);
    }

    @Override
    public synchronized CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        if (guarded) {
            marker = marker.probed(probe, run);
        }
        return CompletableFuture.completedFuture(
                !guarded || marker.admitted()
                        ? new NodeStanding.Admitted(marker.fences().fenceBound())
                        : new NodeStanding.Quarantined(
                                marker.observed(), marker.observer().equals(probe.next())));
    }

    /** Restarts the node. Unless it keeps its memory, it forgets its locks, fences, wait queues and marker. */
    public synchronized void restart(boolean keepsMemory) {
        run++;
        if (!keepsMemory) {
            flush();
        }
    }

    /** Removes all data of the node but no subscriptions, as {@code FLUSHALL} does. */
    public synchronized void flush() {
        locks.clear();
        fences.clear();
        queues.clear();
        marker = NodeMarker.NONE;
    }

    @Override
    public synchronized void listen(String inbox, Consumer<WakeUp> consumer) {
        inboxes.subscribe(inbox, consumer);
    }

    /** Ends the subscription to an inbox, as the loss of the client's connection does. */
    public synchronized void unlisten(String inbox) {
        inboxes.unsubscribe(inbox);
    }

    @Override
    public boolean canNotify() {
        return true;
    }

    /** Returns the names of the wait queue's entries, in their order; see {@link WaitTicket#entry}. */
    public synchronized List<String> waitQueue(String resource) {
        return queues.entries(resource, time.now());
    }

    /**
     * Returns the names of the entries for which the free lock is reserved, separated by spaces. Several shared waiters
     * may have a reservation together. Null if the lock is not reserved.
     */
    public synchronized @Nullable String reservedFor(String resource) {
        return queues.reservedFor(resource, time.now());
    }

    /** Returns the present owner of the lock, or null if it is free. A shared lock has an owner that no attempt has. */
    public synchronized @Nullable Owner ownerOf(String resource) {
        locks.expire(time.now());
        return locks.of(resource);
    }

    /** Returns how long the lock lasts unless it is extended; zero: it is free. */
    public synchronized Duration timeLeft(String resource) {
        Moment now = time.now();
        locks.expire(now);
        return locks.left(resource, now);
    }

    /** Returns {@code true} if this owner holds the lock exclusively; {@code false} for null. */
    public synchronized boolean isHeldBy(@Nullable Owner owner, String resource) {
        return owner != null && owner.equals(ownerOf(resource)) && !locks.isShared(resource);
    }

    /** Removes one lock and keeps all other data, as the deletion of its key does. */
    public synchronized void evict(String resource) {
        locks.drop(resource);
    }

    /** Removes all locks and keeps all other data, as a server that evicts keys does. */
    public synchronized void evict() {
        locks.clear();
    }

    /** Returns {@code true} if the node is not in quarantine. */
    public synchronized boolean votes() {
        return !guarded || (marker.run() == run && marker.admitted());
    }

    /** Returns the greatest fence that the node rejects for the resource; an acceptable fence is above it. */
    public synchronized FencingToken rejectsUpTo(String resource) {
        FencingToken fence = fence(resource);
        FenceBounds bounds = marker.fences();
        return fence.equals(FencingToken.NONE)
                ? bounds.turned(time.now().wallMicros()).floor()
                : fence.max(bounds.floor());
    }

    /** Returns the greatest fence accepted for the resource; {@link FencingToken#NONE} if none is kept. */
    public synchronized FencingToken fence(String resource) {
        fences.expire(time.now());
        return fences.getOr(resource, FencingToken.NONE);
    }

    /** Returns an upper bound of the fences of all resources that the node has accepted or may have forgotten. */
    public synchronized FencingToken fenceBound() {
        return marker.fences().fenceBound();
    }

    /** Returns the number of resources whose fence the node still keeps. */
    public synchronized int fenceCount() {
        fences.expire(time.now());
        return fences.size();
    }

    @Override
    public void close() {}
}
