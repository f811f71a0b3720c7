package io.holdfast.node;

import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A node in this process: the executable description of what the Redis scripts do, and a double for tests of code that
 * takes locks. Locks expire by the given {@link Time}. Replies are complete when {@link #ask} returns.
 */
public final class InMemoryNode implements LockNode {

    private final String name;
    private final Time time;
    private final boolean guarded;
    private final Map<String, Lock> locks = new HashMap<>();
    private final Map<String, Fence> fences = new HashMap<>();
    private Marker marker = Marker.NONE;
    private int run = 1;

    /** A node that votes at once, also after a restart. */
    public InMemoryNode(String name, Time time) {
        this(name, time, false);
    }

    private InMemoryNode(String name, Time time, boolean guarded) {
        this.name = name;
        this.time = time;
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
    public CompletionStage<Reply> ask(Claim claim) {
        return CompletableFuture.completedFuture(answer(claim));
    }

    private synchronized Reply answer(Claim claim) {
        Moment now = time.now();
        locks.values().removeIf(lock -> lock.left(now).isZero());
        fences.values().removeIf(fence -> fence.isOver(now));
        return switch (claim.action()) {
            case ACQUIRE -> !votes() ? quarantined() : acquire(claim, now);
            case EXTEND -> extend(claim, now);
            case REPAIR -> !votes() ? quarantined() : repair(claim, now);
            case RELEASE -> release(claim, now);
        };
    }

    private Reply acquire(Claim claim, Moment now) {
        Lock lock = locks.get(claim.resource());
        if (lock != null) {
            return lock.isOf(claim) ? Reply.GRANTED : refused(claim, now);
        }
        FenceBounds bounds = marker.fences();
        if (!fences.containsKey(claim.resource()) || claim.fence().isAbove(bounds.gmax())) {
            bounds = bounds.turned(now.wallMicros());
            marker = marker.with(bounds);
        }
        FencingToken accepted = fence(claim).orAbove(bounds.floor());
        if (!claim.fence().isAbove(accepted)) {
            return new Reply.Stale(accepted);
        } else if (bounds.isAhead(claim.fence(), now.wallMicros())) {
            return new Reply.Ahead(bounds.present(now.wallMicros()));
        }
        set(claim, now);
        return Reply.GRANTED;
    }

    private Reply extend(Claim claim, Moment now) {
        Lock lock = locks.get(claim.resource());
        if (lock == null || !lock.isOf(claim)) {
            return refused(claim, now);
        }
        if (lock.left(now).compareTo(claim.ttl()) < 0) {
            locks.put(claim.resource(), new Lock(claim.owner(), now, claim.ttl()));
        }
        return Reply.GRANTED;
    }

    private Reply repair(Claim claim, Moment now) {
        if (locks.get(claim.resource()) != null) {
            return extend(claim, now);
        }
        FencingToken accepted = fence(claim);
        if (accepted.isAbove(claim.fence())) {
            return new Reply.Stale(accepted);
        }
        set(claim, now);
        return Reply.GRANTED;
    }

    private void set(Claim claim, Moment now) {
        fences.put(claim.resource(), new Fence(claim.fence(), now));
        marker = marker.with(marker.fences().accepted(claim.fence()));
        locks.put(claim.resource(), new Lock(claim.owner(), now, claim.ttl()));
    }

    private Reply release(Claim claim, Moment now) {
        Lock lock = locks.get(claim.resource());
        boolean ours = lock != null && lock.isOf(claim);
        Reply reply = ours ? Reply.GRANTED : refused(claim, now);
        if (ours) {
            locks.remove(claim.resource());
        }
        FencingToken seal = claim.fence().next();
        // A claim that the node would not accept needs no seal, and one in the far future would bar the resource.
        boolean acceptable = ours || !marker.fences().isAhead(seal, now.wallMicros());
        if (seal.isAbove(fence(claim)) && acceptable) {
            fences.put(claim.resource(), new Fence(seal, now));
        }
        return reply;
    }

    private Reply refused(Claim claim, Moment now) {
        Lock lock = locks.get(claim.resource());
        return new Reply.Refused(lock == null ? Duration.ZERO : lock.left(now), fence(claim));
    }

    private FencingToken fence(Claim claim) {
        Fence fence = fences.get(claim.resource());
        return fence == null ? FencingToken.NONE : fence.token();
    }

    private boolean isAdmitted() {
        return marker.run() == run && marker.admitted();
    }

    private Reply quarantined() {
        Fleet fleet = marker.fleet();
        Duration needed = fleet == null ? Duration.ZERO : fleet.quarantine();
        return new Reply.Quarantined(needed.minus(marker.watched()));
    }

    @Override
    public CompletionStage<Membership> watch(Watch watch) {
        return CompletableFuture.completedFuture(answer(watch));
    }

    private synchronized Membership answer(Watch watch) {
        if (guarded) {
            marker = marker.watched(watch, run);
        }
        return !guarded || marker.admitted()
                ? new Membership.Admitted(marker.fences().highest())
                : new Membership.Quarantined(marker.watched(), marker.watcher().equals(watch.next()));
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
        locks.clear();
        fences.clear();
        marker = Marker.NONE;
    }

    /** The owner of the resource at this moment, or null if it is free. */
    public synchronized @Nullable Owner ownerOf(String resource) {
        Lock lock = locks.get(resource);
        return lock == null || lock.left(time.now()).isZero() ? null : lock.owner();
    }

    /** Drops all locks and keeps the rest, as a server does that evicts keys. */
    public synchronized void evict() {
        locks.clear();
    }

    /** Whether it is out of quarantine. */
    public synchronized boolean votes() {
        return !guarded || isAdmitted();
    }

    /** No claim on the resource is accepted whose fence is not above this. */
    public synchronized FencingToken bar(String resource) {
        FencingToken fence = fence(resource);
        FenceBounds bounds = marker.fences();
        return fence.equals(FencingToken.NONE)
                ? bounds.turned(time.now().wallMicros()).floor()
                : fence.orAbove(bounds.floor());
    }

    /** The fence that it keeps for the resource, {@link FencingToken#NONE} if it keeps none. */
    public synchronized FencingToken fence(String resource) {
        Fence fence = fences.get(resource);
        return fence == null || fence.isOver(time.now()) ? FencingToken.NONE : fence.token();
    }

    /** No fence that it has accepted for any resource, or has taken over as one that it may have accepted, is above this. */
    public synchronized FencingToken highest() {
        return marker.fences().highest();
    }

    /** How many resources there are whose fence it still keeps. */
    public synchronized int fences() {
        Moment now = time.now();
        return (int)
                fences.values().stream().filter(fence -> !fence.isOver(now)).count();
    }

    @Override
    public void close() {}

    private record Fence(FencingToken token, Moment since) {

        boolean isOver(Moment now) {
            return now.since(since).compareTo(FenceBounds.FENCE_LIFE) >= 0;
        }
    }

    private record Lock(Owner owner, Moment since, Duration ttl) {

        boolean isOf(Claim claim) {
            return owner.equals(claim.owner());
        }

        Duration left(Moment now) {
            Duration left = ttl.minus(now.since(since));
            return left.isNegative() ? Duration.ZERO : left;
        }
    }
}
