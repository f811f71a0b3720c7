package io.holdfast.node.memory;

import io.holdfast.lease.FenceRules;
import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fences that an in-memory node has accepted, and its marker, which has the bounds of all fences. */
final class FenceTable {

    private final ExpiringMap<FencingToken> fences = new ExpiringMap<>();
    private NodeMarker marker = NodeMarker.NONE;

    /** Removes expired fences; to be called before each use. */
    void expire(Moment now) {
        fences.expire(now);
    }

    void clear() {
        fences.clear();
        marker = NodeMarker.NONE;
    }

    NodeMarker marker() {
        return marker;
    }

    void marker(NodeMarker next) {
        marker = next;
    }

    /** Returns the fence that was accepted last for the resource, {@link FencingToken#NONE} if it is not known. */
    FencingToken accepted(String resource) {
        return fences.getOr(resource, FencingToken.NONE);
    }

    /** Returns the resources whose fences are known, in no order. */
    List<String> resources() {
        return fences.keys();
    }

    /** Returns the reason why the proposed fence is not accepted; null if it is accepted. */
    @Nullable
    Reply rejection(Claim claim, Moment now) {
        FenceBounds bounds = marker.fences();
        if (fences.get(claim.resource()) == null || claim.fence().isAbove(bounds.gmax())) {
            bounds = turned(now);
        }
        FencingToken accepted = accepted(claim.resource()).max(bounds.floor());
        if (!claim.fence().isAbove(accepted)) {
            return new Reply.Stale(accepted);
        }
        return bounds.isAhead(claim.fence(), now.wallMicros())
                ? new Reply.Ahead(bounds.present(now.wallMicros()))
                : null;
    }

    /**
     * Accepts the fence of a claim.
     *
     * @param left how long the lock lasts already, for which its name has to be known
     */
    void accept(Claim claim, Duration left, Moment now) {
        accept(claim.resource(), claim.greatestFence(), Durations.longer(claim.ttl(), left), now);
    }

    private void accept(String resource, FencingToken fence, Duration left, Moment now) {
        fences.put(resource, fence, now, Durations.longer(FenceRules.LIFE, left));
        marker = marker.with(marker.fences().accepted(fence));
    }

    /** Returns {@code true} if a claim of this fence may be stored, to be carried out later. */
    boolean mayStand(Claim claim) {
        return claim.fence()
                .isAbove(accepted(claim.resource()).max(marker.fences().floor()));
    }

    /**
     * Accepts the fence of a standing claim, or returns {@code false}. Only accepted fences count: the seals of other
     * attempts since it was stored say nothing about this one.
     *
     * @param accepted a fence that is not below any accepted one
     * @param left how long the lock lasts already
     */
    boolean acceptStanding(Claim claim, FencingToken accepted, Duration left, Moment now) {
        FencingToken present = fences.get(claim.resource());
        if (present == null) {
            return false;
        }
        FenceBounds bounds = claim.fence().isAbove(marker.fences().gmax()) ? turned(now) : marker.fences();
        if (!claim.fence().isAbove(accepted.max(bounds.floor())) || bounds.isAhead(claim.fence(), now.wallMicros())) {
            return false;
        }
        accept(claim.resource(), present.max(claim.greatestFence()), left, now);
        return true;
    }

    /**
     * Makes stale what the attempt has sent and the node has not received. If the node has accepted the greatest fence
     * of the attempt, there is nothing to do, since it accepts only greater ones. The node
     * ignores a fence in the far future, which would block the resource.
     *
     * @param left how long the lock lasts now
     */
    void seal(Claim claim, boolean ours, Duration left, Moment now) {
        FencingToken accepted = accepted(claim.resource());
        FencingToken seal = claim.greatestFence().next();
        boolean isSealed = ours && !claim.isShared() && !claim.greatestFence().isAbove(accepted);
        if (isSealed && claim.action() == Claim.Action.RETAIN && left.compareTo(FenceRules.LIFE) > 0) {
            fences.put(claim.resource(), accepted, now, left);
        }
        if (isSealed || !seal.isAbove(accepted)) {
            return;
        }
        FenceBounds bounds = marker.fences();
        if (accepted.equals(FencingToken.NONE) || seal.isAbove(bounds.gmax())) {
            bounds = turned(now);
        }
        if (!bounds.isAhead(seal, now.wallMicros())) {
            fences.put(claim.resource(), seal, now, Durations.longer(FenceRules.LIFE, left));
        }
    }

    private FenceBounds turned(Moment now) {
        marker = marker.with(marker.fences().turned(now.wallMicros()));
        return marker.fences();
    }

    /** Returns the greatest fence that is rejected for the resource at this moment. */
    FencingToken rejectsUpTo(String resource, Moment now) {
        FencingToken fence = accepted(resource);
        FenceBounds bounds = marker.fences();
        return fence.equals(FencingToken.NONE) ? bounds.turned(now.wallMicros()).floor() : fence.max(bounds.floor());
    }
}
