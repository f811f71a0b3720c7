package io.holdfast.node;

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
    private final TimedKeys<Owner> locks = new TimedKeys<>();
    private final TimedKeys<FencingToken> fences = new TimedKeys<>();
    private final Lines lines;
    private Marker marker = Marker.NONE;
    private int run = 1;

    /** A node that votes at once, also after a restart. */
    public InMemoryNode(String name, Time time) {
        this(name, time, false);
    }

    private InMemoryNode(String name, Time time, boolean guarded) {
        this.name = name;
        this.time = time;
        this.lines = new Lines(time::execute);
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
        locks.expire(now);
        fences.expire(now);
        lines.expire(now);
        return CompletableFuture.completedFuture(
                switch (claim.action()) {
                    case ACQUIRE -> !votes() ? new Reply.Quarantined(marker.left()) : acquire(claim, now);
                    case EXTEND -> extend(claim, now);
                    case REPAIR -> !votes() ? new Reply.Quarantined(marker.left()) : repair(claim, now);
                    case RELEASE, STEP_BACK -> giveUp(claim, now);
                });
    }

    private Reply acquire(Claim claim, Moment now) {
        Owner holder = locks.get(claim.resource());
        if (claim.owner().equals(holder)) {
            return Reply.GRANTED;
        } else if (holder != null || lines.isKeptForAnother(claim, fence(claim.resource()), now)) {
            return refusedInLine(claim, now);
        }
        FenceBounds bounds = marker.fences();
        if (fences.get(claim.resource()) == null || claim.fence().isAbove(bounds.gmax())) {
            bounds = turned(now);
        }
        FencingToken accepted = fence(claim.resource()).orAbove(bounds.floor());
        if (!claim.fence().isAbove(accepted)) {
            return new Reply.Stale(accepted);
        } else if (bounds.isAhead(claim.fence(), now.wallMicros())) {
            return new Reply.Ahead(bounds.present(now.wallMicros()));
        }
        lines.granted(claim);
        return set(claim, now);
    }

    private Reply refusedInLine(Claim claim, Moment now) {
        lines.refused(claim, now);
        boolean isHeld = locks.get(claim.resource()) != null;
        Duration left = isHeld ? locks.left(claim.resource(), now) : lines.kept(claim.resource(), now);
        return new Reply.Refused(left, fence(claim.resource()), now.wallMicros());
    }

    private Reply extend(Claim claim, Moment now) {
        if (!claim.owner().equals(locks.get(claim.resource()))) {
            return refused(claim, now);
        }
        if (locks.left(claim.resource(), now).compareTo(claim.ttl()) < 0) {
            locks.put(claim.resource(), claim.owner(), now, claim.ttl());
        }
        return Reply.GRANTED;
    }

    private Reply repair(Claim claim, Moment now) {
        if (locks.get(claim.resource()) != null) {
            return extend(claim, now);
        }
        if (fences.get(claim.resource()) == null) {
            turned(now);
        } else if (fence(claim.resource()).isAbove(claim.top())) {
            return new Reply.Stale(fence(claim.resource()));
        }
        return set(claim, now);
    }

    private Reply set(Claim claim, Moment now) {
        fences.put(claim.resource(), claim.top(), now, FenceBounds.FENCE_LIFE);
        marker = marker.with(marker.fences().accepted(claim.top()));
        locks.put(claim.resource(), claim.owner(), now, claim.ttl());
        return Reply.GRANTED;
    }

    private Reply giveUp(Claim claim, Moment now) {
        boolean ours = claim.owner().equals(locks.get(claim.resource()));
        Reply reply = ours ? Reply.GRANTED : refused(claim, now);
        locks.remove(claim.resource(), claim.owner());
        seal(claim, ours, now);
        boolean isHeld = locks.get(claim.resource()) != null;
        lines.giveUp(claim, ours, isHeld, fence(claim.resource()), now);
        return reply;
    }

    /** A claim that the node would not accept needs no seal, and one in the far future would bar the resource. */
    private void seal(Claim claim, boolean ours, Moment now) {
        FencingToken seal = claim.top().next();
        FenceBounds bounds = marker.fences();
        if (fences.get(claim.resource()) == null || (!ours && seal.isAbove(bounds.gmax()))) {
            bounds = turned(now);
        }
        if (seal.isAbove(fence(claim.resource())) && (ours || !bounds.isAhead(seal, now.wallMicros()))) {
            fences.put(claim.resource(), seal, now, FenceBounds.FENCE_LIFE);
        }
    }

    private FenceBounds turned(Moment now) {
        marker = marker.with(marker.fences().turned(now.wallMicros()));
        return marker.fences();
    }

    private Reply refused(Claim claim, Moment now) {
        return new Reply.Refused(locks.left(claim.resource(), now), fence(claim.resource()), 0);
    }

    @Override
    public synchronized CompletionStage<Membership> watch(Watch watch) {
        if (guarded) {
            marker = marker.watched(watch, run);
        }
        return CompletableFuture.completedFuture(
                !guarded || marker.admitted()
                        ? new Membership.Admitted(marker.fences().highest())
                        : new Membership.Quarantined(
                                marker.watched(), marker.watcher().equals(watch.next())));
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
        lines.clear();
        marker = Marker.NONE;
    }

    @Override
    public synchronized void listen(String inbox, Consumer<Wake> consumer) {
        lines.listen(inbox, consumer);
    }

    /** Tells this inbox nothing any more, as when the connection of its client ends. */
    public synchronized void unlisten(String inbox) {
        lines.unlisten(inbox);
    }

    @Override
    public boolean wakes() {
        return true;
    }

    /** The inboxes of those who are in line for the resource, in their order. */
    public synchronized List<String> line(String resource) {
        return lines.inLine(resource, time.now());
    }

    /** The inbox of whoever was called, and for whom the resource is kept now; or null. */
    public synchronized @Nullable String called(String resource) {
        return lines.called(resource, time.now());
    }

    /** The owner of the resource at this moment, or null if it is free. */
    public synchronized @Nullable Owner ownerOf(String resource) {
        locks.expire(time.now());
        return locks.get(resource);
    }

    /** Drops all locks and keeps the rest, as a server does that evicts keys. */
    public synchronized void evict() {
        locks.clear();
    }

    /** Whether it is out of quarantine. */
    public synchronized boolean votes() {
        return !guarded || (marker.run() == run && marker.admitted());
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
        fences.expire(time.now());
        FencingToken fence = fences.get(resource);
        return fence == null ? FencingToken.NONE : fence;
    }

    /** No fence that it has accepted for any resource, or has taken over as one that it may have accepted, is above this. */
    public synchronized FencingToken highest() {
        return marker.fences().highest();
    }

    /** How many resources there are whose fence it still keeps. */
    public synchronized int fences() {
        fences.expire(time.now());
        return fences.size();
    }

    @Override
    public void close() {}
}
