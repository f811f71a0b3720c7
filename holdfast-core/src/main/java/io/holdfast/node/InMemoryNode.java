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
    private final Map<String, FencingToken> fences = new HashMap<>();
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
        return switch (claim.action()) {
            case ACQUIRE -> guarded && !isAdmitted() ? quarantined() : acquire(claim, now);
            case EXTEND -> extend(claim, now);
            case REPAIR -> guarded && !isAdmitted() ? quarantined() : repair(claim, now);
            case RELEASE -> release(claim, now);
        };
    }

    private Reply acquire(Claim claim, Moment now) {
        Lock lock = locks.get(claim.resource());
        if (lock != null) {
            return lock.isOf(claim) ? Reply.GRANTED : refused(claim, now);
        }
        FencingToken accepted = fence(claim).orAbove(marker.floor());
        if (!claim.fence().isAbove(accepted)) {
            return new Reply.Stale(accepted);
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
        fences.put(claim.resource(), claim.fence());
        marker = marker.accepted(claim.fence());
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
        if (seal.isAbove(fence(claim))) {
            fences.put(claim.resource(), seal);
        }
        return reply;
    }

    private Reply refused(Claim claim, Moment now) {
        Lock lock = locks.get(claim.resource());
        return new Reply.Refused(lock == null ? Duration.ZERO : lock.left(now), fence(claim));
    }

    private FencingToken fence(Claim claim) {
        return fences.getOrDefault(claim.resource(), FencingToken.NONE);
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
                ? new Membership.Admitted(marker.highest())
                : new Membership.Quarantined(marker.watched(), marker.watcher().equals(watch.watcher()));
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

    @Override
    public void close() {}

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
