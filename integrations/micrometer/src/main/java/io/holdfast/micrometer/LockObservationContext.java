package io.holdfast.micrometer;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.lease.LeaseState;
import io.micrometer.observation.Observation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The context of an observation of a lock, from which a {@link LockObservationConvention} takes names and tags.
 *
 * <p>Not thread-safe, as observations are not.
 */
public final class LockObservationContext extends Observation.Context {

    /** The phases of the life of a lock that are observed. */
    public enum Phase {
        /** From the request to the grant or to the refusal. */
        ACQUIRE,
        /** From the grant to the end of the work. */
        HOLD
    }

    private final Phase phase;
    private final String group;
    private final String resource;
    private final boolean shared;
    private @Nullable Lease lease;
    private String refusal = "";

    private LockObservationContext(Phase phase, String group, String resource, boolean shared, @Nullable Lease lease) {
        this.phase = phase;
        this.group = group;
        this.resource = resource;
        this.shared = shared;
        this.lease = lease;
    }

    static LockObservationContext acquiring(DistributedLock lock, LockGroups groups) {
        return new LockObservationContext(
                Phase.ACQUIRE, groups.of(lock.resource()), lock.resource(), lock.isShared(), null);
    }

    static LockObservationContext holding(Lease lease, LockGroups groups) {
        return new LockObservationContext(
                Phase.HOLD, groups.of(lease.resource()), lease.resource(), lease.isShared(), lease);
    }

    void granted(Lease granted) {
        lease = granted;
    }

    void refused(String reason) {
        refusal = reason;
    }

    /** Returns the phase that is observed. */
    public Phase phase() {
        return phase;
    }

    /** Returns the {@linkplain LockGroups group} of the lock, which has few values. */
    public String group() {
        return group;
    }

    /** Returns the name of the lock, which may contain ids. */
    public String resource() {
        return resource;
    }

    /** Returns {@code true} if the lock is requested or held in shared mode. */
    public boolean isShared() {
        return shared;
    }

    /** Returns the lease; empty while the lock is not granted. */
    public Optional<Lease> lease() {
        return Optional.ofNullable(lease);
    }

    /**
     * Returns the outcome in one word. An acquisition is acquired, held, tied, unreachable or abandoned, and unknown
     * while it lasts. A hold is lost or released.
     */
    public String outcome() {
        Lease known = lease;
        if (known == null) {
            return refusal.isEmpty() ? "unknown" : refusal;
        }
        if (phase == Phase.ACQUIRE) {
            return "acquired";
        }
        return known.state() == LeaseState.LOST ? "lost" : "released";
    }
}
