package io.holdfast.simulation.world;

import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.lease.Owner;
import io.holdfast.time.Moment;

/**
 * A lease and its holder.
 *
 * @param begun when the holder first asked for it, by the holder's clocks
 * @param disturbances how often the holder's machine had been stopped until it got the lease
 * @param options the options with which it is held
 * @param resumed whether another client had the lease before
 */
public record ObservedLease(
        SimulatedClient client, Lease lease, Moment begun, int disturbances, LockOptions options, boolean resumed) {

    /** Creates the record of a lease that was granted to the holder. */
    public static ObservedLease granted(
            SimulatedClient client, Lease lease, Moment begun, int disturbances, LockOptions options) {
        return new ObservedLease(client, lease, begun, disturbances, options, false);
    }

    /** Returns whether both users have one lease, since one of them resumed it from the other. */
    public boolean isTwinOf(ObservedLease other) {
        return key().equals(other.key());
    }

    /** Returns the identity that users share who resumed one lease from each other. */
    public record Key(Owner owner, long token) {}

    public Key key() {
        return new Key(lease.owner(), token());
    }

    public String resource() {
        return lease.resource();
    }

    public long token() {
        return lease.fencingToken().value();
    }

    public boolean isShared() {
        return lease.isShared();
    }

    public boolean isValid() {
        return lease.state().isValid();
    }

    /** Returns whether the holder's machine has run all the time, with clocks that were never set. */
    public boolean isUndisturbed() {
        return client.time().disturbances() == disturbances;
    }

    /** Equal objects have the same lease. The hash of all components, with all options, is slow. */
    @Override
    public int hashCode() {
        return lease.hashCode();
    }

    @Override
    public String toString() {
        return client.name() + " holds " + resource() + (isShared() ? " shared" : "") + " with token " + token();
    }
}
