package io.holdfast.quorum;

import io.holdfast.node.FencingToken;
import io.holdfast.time.Moment;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The fencing tokens that this client proposes: the wall clock in microseconds, but always above every number that it has
 * proposed or seen. They are even; the odd number above each is left for the seal of its release.
 *
 * <p>Thread-safe; no number is proposed twice.
 */
public final class Proposals {

    private final AtomicLong last = new AtomicLong();

    public FencingToken propose(Moment now) {
        return new FencingToken(last.updateAndGet(seen -> even(Math.max(seen + 1, now.wallMicros()))));
    }

    /** A number that a node has accepted: what is proposed next lies above it. */
    public void saw(FencingToken fence) {
        last.accumulateAndGet(fence.value(), Math::max);
    }

    private static long even(long number) {
        return number + (number & 1);
    }
}
