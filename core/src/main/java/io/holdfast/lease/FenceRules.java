package io.holdfast.lease;

import java.time.Duration;

/**
 * The rules of all nodes about fences. A node rejects a fence too far in the future: once accepted, it would force all
 * later fences above it. A node keeps a fence for some time, and raises its floor above the fence before it forgets it.
 */
public final class FenceRules {

    /**
     * The greatest distance of a proposed fence above the node's present: more than the clocks of one quorum should
     * differ.
     */
    public static final Duration MAX_LEAD = Duration.ofSeconds(10);

    /** The interval at which a node raises its floor. A fence is below the floor two periods after it was accepted. */
    public static final Duration PERIOD = Duration.ofMinutes(10);

    /** The time for which a node keeps an accepted fence: three periods. */
    public static final Duration LIFE = PERIOD.plus(PERIOD).plus(PERIOD);

    /**
     * The step in which a node raises its upper bound of all fences, so that most locks need not write it. Nodes copy
     * the bound from each other, and a floor made from a clock must exceed it eventually: therefore the step is small
     * compared with any quarantine.
     */
    public static final Duration BOUND_STEP = Duration.ofMillis(10);

    private FenceRules() {}

    /**
     * Returns {@code true} if the client that proposed this fence must have a clock in the far future.
     *
     * @param present the greatest of the node's clock, in microseconds since 1970, and of the fences that the node
     *     knows
     */
    public static boolean isTooFarAhead(FencingToken proposed, FencingToken present) {
        return proposed.value() > present.value() + MAX_LEAD.toNanos() / 1_000;
    }
}
