package io.holdfast.node.memory;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
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
 * A node in this process: the executable description of what the Redis scripts do, and a double for tests of code that
 * takes locks. Locks expire by the given {@link Time}. Replies are complete when {@link #ask} returns.
 */
public final class InMemoryNode implements LockNode {

    private final String name;
    private final Time time;
    private final boolean guarded;
    private final LockTable holders = new LockTable();
    private final ExpiringMap<FencingToken> fences = new ExpiringMap<>();
    private final Subscriptions inboxes;
    private final WaitQueues lines;
    private NodeMarker marker = NodeMarker.NONE;
    private int run = 1;

    /** A node that votes at once, also after a restart. */
    public InMemoryNode(String name, Time time) {
        this(name, time, false);
    }

    private InMemoryNode(String name, Time time, boolean guarded) {
        this.name = name;
        this.time = time;
        this.inboxes = new Subscriptions(time::execute);
        this.lines = new WaitQueues(inboxes);
        this.guarded = guarded;
    }

    /** A node that begins in quarantine, and is in quarantine again after a restart. */
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
        holders.expire(now);
        fences.expire(now);
        lines.expire(now);
        return CompletableFuture.completedFuture(
                switch (claim.action()) {
                    case ACQUIRE -> !votes() ? new Reply.Quarantined(marker.left()) : acquire(claim, now);
                    case EXTEND -> extend(claim, now);
                    case REPAIR -> !votes() ? new Reply.Quarantined(marker.left()) : repair(claim, now);
                    case RELEASE, RELEASE_AND_REQUEUE -> giveUp(claim, now);
                });
    }

    private Reply acquire(Claim claim, Moment now) {
        if (holders.has(claim)) {
            return Reply.GRANTED;
        }
        if (holders.blocks(claim) || lines.mustWait(claim, holders, fence(claim.resource()), now)) {
            return refusedInLine(claim, now);
        }
        Reply objection = objection(claim, now);
        if (objection != null) {
            return objection;
        }
        lines.granted(claim, now);
        return set(claim, now);
    }

    /** Why the proposed fence is not accepted; null: it is. */
    private @Nullable Reply objection(Claim claim, Moment now) {
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

    private Reply refusedInLine(Claim claim, Moment now) {
        String resource = claim.resource();
        lines.refused(claim, now);
        Duration left = holders.isFree(resource) ? lines.kept(resource, now) : holders.left(resource, now);
        Owner holder = holders.of(resource);
        return new Reply.Refused(left, fence(resource), now.wallMicros(), holder == null ? "" : holder.mark());
    }

    private Reply extend(Claim claim, Moment now) {
        if (!holders.has(claim)) {
            return refused(claim, now);
        }
        if (holders.prolong(claim, now)) {
            lines.opened(claim.resource(), fence(claim.resource()), now);
        }
        return Reply.GRANTED;
    }

    private Reply repair(Claim claim, Moment now) {
        if (holders.has(claim) || holders.blocks(claim)) {
            return extend(claim, now);
        }
        Reply objection = objection(claim, now);
        return objection == null ? set(claim, now) : objection;
    }

    private Reply set(Claim claim, Moment now) {
        fences.put(claim.resource(), claim.greatestFence(), now, FenceBounds.FENCE_LIFE);
        marker = marker.with(marker.fences().accepted(claim.greatestFence()));
        holders.take(claim, now);
        return Reply.GRANTED;
    }

    private Reply giveUp(Claim claim, Moment now) {
        boolean ours = holders.has(claim);
        Reply reply = ours ? Reply.GRANTED : refused(claim, now);
        boolean becameFree = holders.giveUp(claim, now);
        seal(claim, ours, now);
        lines.giveUp(claim, ours, becameFree, holders, fence(claim.resource()), now);
        return reply;
    }

    /**
     * Makes stale what the attempt has sent and the node has not received. Nothing is to be done where the node has accepted the
     * greatest number of the attempt, since it accepts only greater ones; and a number in the far future would bar the resource.
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
        return new Reply.Refused(holders.blockedFor(claim, now), fence(claim.resource()), 0);
    }

    @Override
    public synchronized CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        if (guarded) {
            marker = marker.observed(probe, run);
        }
        return CompletableFuture.completedFuture(
                !guarded || marker.admitted()
                        ? new NodeStanding.Admitted(marker.fences().fenceBound())
                        : new NodeStanding.Quarantined(
                                marker.observed(), marker.observer().equals(probe.next())));
    }

    /** Ends and starts the node; without its memory it has forgotten its locks, its fences and its marker. */
    public synchronized void restart(boolean keepsMemory) {
        run++;
        if (!keepsMemory) {
            flush();
        }
    }

    /** Forgets everything, as {@code FLUSHALL} does. */
    public synchronized void flush() {
        holders.clear();
        fences.clear();
        lines.clear();
        marker = NodeMarker.NONE;
    }

    @Override
    public synchronized void listen(String inbox, Consumer<WakeUp> consumer) {
        inboxes.listen(inbox, consumer);
    }

    /** As when the connection of its client ends. */
    public synchronized void unlisten(String inbox) {
        inboxes.unlisten(inbox);
    }

    @Override
    public boolean canNotify() {
        return true;
    }

    /** The inboxes of those who are in line for the resource, in their order. */
    public synchronized List<String> waitQueue(String resource) {
        return lines.inLine(resource, time.now());
    }

    /** The inbox of whoever was called, and for whom the resource is kept now; or null. */
    public synchronized @Nullable String reservedFor(String resource) {
        return lines.called(resource, time.now());
    }

    /** The owner of the resource at this moment, one that no attempt has if it is held shared, or null if it is free. */
    public synchronized @Nullable Owner ownerOf(String resource) {
        holders.expire(time.now());
        return holders.of(resource);
    }

    /** How long the lock on the resource lasts unless it is extended; zero: it is free. */
    public synchronized Duration timeLeft(String resource) {
        Moment now = time.now();
        holders.expire(now);
        return holders.left(resource, now);
    }

    /** Whether this owner holds the resource exclusively. */
    public synchronized boolean isHeldBy(@Nullable Owner owner, String resource) {
        return owner != null && owner.equals(ownerOf(resource)) && !holders.isShared(resource);
    }

    /** Drops the lock on one resource and keeps the rest, as an operator does who deletes its key. */
    public synchronized void evict(String resource) {
        holders.drop(resource);
    }

    /** Drops all locks and keeps the rest, as a server does that evicts keys. */
    public synchronized void evict() {
        holders.clear();
    }

    /** Whether it is out of quarantine. */
    public synchronized boolean votes() {
        return !guarded || (marker.run() == run && marker.admitted());
    }

    /** No claim on the resource is accepted whose fence is not above this. */
    public synchronized FencingToken rejectsUpTo(String resource) {
        FencingToken fence = fence(resource);
        FenceBounds bounds = marker.fences();
        return fence.equals(FencingToken.NONE)
                ? bounds.turned(time.now().wallMicros()).floor()
                : fence.max(bounds.floor());
    }

    /** The fence that it keeps for the resource, {@link FencingToken#NONE} if it keeps none. */
    public synchronized FencingToken fence(String resource) {
        fences.expire(time.now());
        return fences.getOr(resource, FencingToken.NONE);
    }

    /** No fence that it has accepted for any resource, or has taken over as one that it may have accepted, is above this. */
    public synchronized FencingToken fenceBound() {
        return marker.fences().fenceBound();
    }

    /** How many resources there are whose fence it still keeps. */
    public synchronized int fenceCount() {
        fences.expire(time.now());
        return fences.size();
    }

    @Override
    public void close() {}
}
