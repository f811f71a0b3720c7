package io.holdfast.node.memory;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.FenceLead;
import io.holdfast.time.Durations;
import java.time.Duration;

/**
 * What an in-memory node keeps about the fences of all resources together, so that it need not keep the fence of each for
 * good. Each method is a pure step to the next bounds.
 *
 * <p>The fence of a resource that nobody has locked for long expires. Before it does, the floor is raised above it: at each
 * turn the floor becomes gmax of the turn before, so that a fence is below the floor after two turns, and it expires after
 * three.
 *
 * @param floor no claim with a fence up to this is accepted
 * @param gmax no fence that was accepted is above it; raised in steps, so that it need not be written with every lock
 * @param older gmax at the last turn
 * @param turnMicros when that was, by the node's clock
 */
record FenceBounds(FencingToken floor, FencingToken gmax, FencingToken older, long turnMicros) {

    static final FenceBounds NONE =
            new FenceBounds(FencingToken.NONE, FencingToken.NONE, FencingToken.NONE, Long.MIN_VALUE / 2);

    static final Duration TURN = Duration.ofMinutes(10);
    /** How long a fence stays after it was last accepted. */
    static final Duration FENCE_LIFE = Durations.times(TURN, 3);

    private static final long GMAX_STEP_MICROS = 10_000;
    private static final long TURN_MICROS = TURN.toNanos() / 1_000;

    FencingToken fenceBound() {
        return floor.max(gmax);
    }

    /** What the node takes for the present: the greatest of its clock and of the fences that it knows. */
    FencingToken present(long nowMicros) {
        return fenceBound().max(new FencingToken(nowMicros));
    }

    /**
     * Whether a proposal is so far above the present that a client with its clock in the far future must have made it. Accepted,
     * it would make every later token as great.
     */
    boolean isAhead(FencingToken proposed, long nowMicros) {
        return FenceLead.isExceededBy(proposed, present(nowMicros));
    }

    FenceBounds accepted(FencingToken fence) {
        return fence.isAbove(gmax) ? new FenceBounds(floor, fence.plus(GMAX_STEP_MICROS), older, turnMicros) : this;
    }

    FenceBounds raisedTo(FencingToken newFloor) {
        return new FenceBounds(floor.max(newFloor), gmax, older, turnMicros);
    }

    /** What holds at this moment; to be asked whenever the fence of a resource is missing, which may have expired. */
    FenceBounds turned(long nowMicros) {
        long since = nowMicros - turnMicros;
        if (since >= 0 && since < TURN_MICROS) {
            return this;
        } else if (since < 0) {
            // A clock that was set back begins the turn anew: nothing expires earlier than the floor is raised.
            return new FenceBounds(floor, gmax, older, nowMicros);
        }
        FencingToken passed = since < 2 * TURN_MICROS ? older : gmax;
        return new FenceBounds(floor.max(passed), gmax, gmax, nowMicros);
    }
}
