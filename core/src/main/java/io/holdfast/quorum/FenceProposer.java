package io.holdfast.quorum;

import io.holdfast.lease.FencingToken;
import io.holdfast.time.Moment;

/**
 * The source of the fences that a client proposes: the wall clock in microseconds, but always above every fence that
 * the client has proposed or observed. Proposed fences are even; the odd number above each is reserved for the seal of
 * its release.
 *
 * <p>If the nodes report that the client's clock is far ahead, the proposer uses their clock afterwards. That affects
 * only the number of rounds: the nodes keep fences in order.
 *
 * <p>Thread-safe. No fence is proposed twice, except after {@link #rejectedAsAhead}.
 */
public final class FenceProposer {

    private long last;
    private long aheadMicros;

    /**
     * Returns the first fence of one attempt. If a node has replied the greatest fence of all, a fence below it; the
     * other nodes reject that as ahead of the present.
     *
     * @param from the moment from which the fence counts, not in the future
     * @param more how far the attempt's greatest fence lies above its first; even
     */
    public synchronized FencingToken propose(Moment from, long more) {
        long greatest = FencingToken.GREATEST.value() - 1 - more;
        long first = Math.min(greatest, even(Math.max(last + 1, from.wallMicros() - aheadMicros)));
        last = first + more;
        return new FencingToken(first);
    }

    /** Raises or lowers the next proposals as the votes of a round require. */
    public void learn(Outcome outcome, Moment now) {
        outcome.fences().forEach(this::observed);
        outcome.majorityPresent().ifPresent(present -> rejectedAsAhead(present, now));
    }

    /** Raises the next proposals above a fence that a node has accepted. */
    public synchronized void observed(FencingToken fence) {
        last = Math.max(last, fence.value());
    }

    /** Lowers the next proposals to just above the present of a majority that has rejected a fence as too great. */
    synchronized void rejectedAsAhead(FencingToken present, Moment now) {
        last = Math.min(last, present.value());
        aheadMicros = Math.max(0, now.wallMicros() - present.value());
    }

    private static long even(long number) {
        return number + (number & 1);
    }
}
