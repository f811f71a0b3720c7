package io.holdfast.lease;

import java.time.Duration;

/**
 * The rule that rejects a fence too far in the future. Once accepted, such a fence would force all later ones above it.
 */
public final class FenceLead {

    /**
     * The greatest distance of a proposed fence above the node's present: more than the clocks of one quorum should
     * differ.
     */
    public static final Duration LIMIT = Duration.ofSeconds(10);

    private FenceLead() {}

    /**
     * Returns {@code true} if the client that proposed this fence must have a clock in the far future.
     *
     * @param present the greatest of the node's clock, in microseconds since 1970, and of the fences that the node
     *     knows
     */
    public static boolean isExceededBy(FencingToken proposed, FencingToken present) {
        return proposed.value() > present.value() + LIMIT.toNanos() / 1_000;
    }
}
