package io.holdfast.quorum;

import io.holdfast.lease.FencingToken;
import io.holdfast.time.Moment;

/**
 * The fencing tokens that this client proposes: the wall clock in microseconds, but always above every number that it has
 * proposed or seen. They are even; the odd number above each is left for the seal of its release.
 *
 * <p>A client whose clock is in the far future is told so by the nodes, and goes by their clock from then on. Nothing but
 * the number of its rounds depends on that: it is the nodes that keep tokens in order.
 *
 * <p>Thread-safe; unless it is told that it is ahead, no number is proposed twice.
 */
public final class FenceProposer {

    private long last;
    private long aheadMicros;

    /**
     * The least of the numbers for one attempt.
     *
     * @param more how many numbers above it the attempt takes as well; even
     */
    public synchronized FencingToken propose(Moment now, long more) {
        long least = even(Math.max(last + 1, now.wallMicros() - aheadMicros));
        last = least + more;
        return new FencingToken(least);
    }

    /** A number that a node has accepted: what is proposed next lies above it. */
    public synchronized void observed(FencingToken fence) {
        last = Math.max(last, fence.value());
    }

    /** What was proposed was too great for a majority: what is proposed next lies just above what they take for the present. */
    public synchronized void rejectedAsAhead(FencingToken present, Moment now) {
        last = Math.min(last, present.value());
        aheadMicros = Math.max(0, now.wallMicros() - present.value());
    }

    private static long even(long number) {
        return number + (number & 1);
    }
}
