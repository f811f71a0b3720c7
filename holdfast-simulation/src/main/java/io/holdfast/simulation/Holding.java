package io.holdfast.simulation;

import io.holdfast.Lease;
import io.holdfast.time.Moment;

/**
 * A lease and who holds it.
 *
 * @param begun when the holder first asked for it, by the holder's clocks
 * @param disturbances how often the holder's machine had been stopped until it got the lease
 */
record Holding(SimulatedClient client, Lease lease, Moment begun, int disturbances) {

    String resource() {
        return lease.resource();
    }

    long token() {
        return lease.fencingToken().value();
    }

    boolean isShared() {
        return lease.isShared();
    }

    boolean isLive() {
        return lease.state().isLive();
    }

    /** Whether the holder's machine has run all the time, by clocks that nobody set. */
    boolean isUndisturbed() {
        return client.time().disturbances() == disturbances;
    }

    @Override
    public String toString() {
        return client.name() + " holds " + resource() + (isShared() ? " shared" : "") + " with token " + token();
    }
}
