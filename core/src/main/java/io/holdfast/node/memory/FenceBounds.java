package io.holdfast.node.memory;

import io.holdfast.lease.FenceRules;
import io.holdfast.lease.FencingToken;
import io.holdfast.time.Durations;

/**
 * Bounds of the fences of all resources of an in-memory node, so that the node need not keep every fence permanently.
 * Each method is a pure step to the next bounds.
 *
 * <p>The fence of a resource expires some time after the last lock. Before that, the floor is raised above it: at each
 * turn, the floor becomes gmax of the turn before. So a fence is below the floor after two turns, and expires after
 * three.
 *
 * @param floor the node rejects fences that are not above the floor
 * @param gmax an upper bound of all accepted fences; raised in steps, so that it need not be written with every lock
 * @param older gmax at the last turn
 * @param turnMicros the time of the last turn, in microseconds by the node's clock
 */
record FenceBounds(FencingToken floor, FencingToken gmax, FencingToken older, long turnMicros) {

    static final FenceBounds NONE =
            new FenceBounds(FencingToken.NONE, FencingToken.NONE, FencingToken.NONE, Long.MIN_VALUE / 2);

    private static final long GMAX_STEP_MICROS = Durations.toMicros(FenceRules.BOUND_STEP);
    private static final long TURN_MICROS = Durations.toMicros(FenceRules.PERIOD);

    /** Returns an upper bound of all fences that the node has accepted or may have forgotten. */
    FencingToken fenceBound() {
        return floor.max(gmax);
    }

    /** Returns the node's present: the greatest of its clock and of the fences that it knows. */
    FencingToken present(long nowMicros) {
        return fenceBound().max(new FencingToken(nowMicros));
    }

    /**
     * Returns {@code true} if a proposed fence is so far above the present that the client's clock must be wrong. Once
     * accepted, such a fence would force all later ones above it.
     */
    boolean isAhead(FencingToken proposed, long nowMicros) {
        return FenceRules.isTooFarAhead(proposed, present(nowMicros));
    }

    FenceBounds accepted(FencingToken fence) {
        return fence.isAbove(gmax) ? new FenceBounds(floor, fence.plus(GMAX_STEP_MICROS), older, turnMicros) : this;
    }

    FenceBounds raisedTo(FencingToken newFloor) {
        return new FenceBounds(floor.max(newFloor), gmax, older, turnMicros);
    }

    /**
     * Returns the bounds after the turns that are due. To be called if the fence of a resource is missing: it may have
     * expired.
     */
    FenceBounds turned(long nowMicros) {
        long since = nowMicros - turnMicros;
        if (since >= 0 && since < TURN_MICROS) {
            return this;
        } else if (since < 0) {
            // After the clock was set back, the turn begins again: no fence expires before the floor is raised above
            // it.
            return new FenceBounds(floor, gmax, older, nowMicros);
        }
        FencingToken raised = since < 2 * TURN_MICROS ? older : gmax;
        return new FenceBounds(floor.max(raised), gmax, gmax, nowMicros);
    }
}
