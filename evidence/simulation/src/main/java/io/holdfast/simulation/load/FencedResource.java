package io.holdfast.simulation.load;

import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.Violations;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The guarded resources: each rejects a write whose token is smaller than the greatest it has seen, which is all that
 * fencing requires. Reports {@link Property#FENCED_RESOURCE} when it has to reject a client that holds the lock.
 */
public final class FencedResource implements Observer {

    private final Violations violations;
    private final Map<String, Long> greatest = new HashMap<>();
    private final Set<ObservedLease.Key> released = new HashSet<>();
    private long refused;

    public FencedResource(Violations violations) {
        this.violations = violations;
    }

    /** Returns whether the write is accepted. */
    public boolean write(String resource, long token) {
        boolean accepted = greatest.merge(resource, token, Math::max) == token;
        refused += accepted ? 0 : 1;
        return accepted;
    }

    /** Returns the number of rejected writes. */
    public long refused() {
        return refused;
    }

    /** Another user of the same lease may have released it; this one learns of that at its next renewal. */
    @Override
    public void releasing(ObservedLease holding) {
        released.add(holding.key());
    }

    @Override
    public void wrote(ObservedLease holding, boolean accepted) {
        if (!accepted && holding.isValid() && !released.contains(holding.key())) {
            violations.report(Property.FENCED_RESOURCE, holding + ", and its write was refused");
        }
    }
}
