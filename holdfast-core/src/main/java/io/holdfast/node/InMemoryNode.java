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
    private final Map<String, Lock> locks = new HashMap<>();
    private final Map<String, FencingToken> fences = new HashMap<>();

    public InMemoryNode(String name, Time time) {
        this.name = name;
        this.time = time;
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
            case ACQUIRE -> acquire(claim, now);
            case EXTEND -> extend(claim, now);
            case RELEASE -> release(claim, now);
        };
    }

    private Reply acquire(Claim claim, Moment now) {
        Lock lock = locks.get(claim.resource());
        if (lock != null) {
            return lock.isOf(claim) ? Reply.GRANTED : refused(claim, now);
        }
        FencingToken fence = fence(claim);
        if (!claim.fence().isAbove(fence)) {
            return new Reply.Stale(fence);
        }
        fences.put(claim.resource(), claim.fence());
        locks.put(claim.resource(), new Lock(claim.owner(), now, claim.ttl()));
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
