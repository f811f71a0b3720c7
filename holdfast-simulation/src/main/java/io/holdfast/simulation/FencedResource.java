package io.holdfast.simulation;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What the locks guard: for each resource, something that takes no write with a token smaller than the greatest it has seen. That
 * is all that fencing asks of it. Reports {@link Property#FENCED_RESOURCE} if it has to refuse somebody who holds the lock.
 */
final class FencedResource implements Observer {

    private final Violations violations;
    private final Map<String, Long> greatest = new HashMap<>();
    private final Set<Holding.Key> released = new HashSet<>();
    private long refused;

    FencedResource(Violations violations) {
        this.violations = violations;
    }

    /** Returns whether the write is accepted. */
    boolean write(String resource, long token) {
        boolean accepted = greatest.merge(resource, token, Math::max) == token;
        refused += accepted ? 0 : 1;
        return accepted;
    }

    /** How many writes it has refused. */
    long refused() {
        return refused;
    }

    /** Another user who has the same lease may have released it; this one learns that at its next renewal. */
    @Override
    public void releasing(Holding holding) {
        released.add(holding.key());
    }

    @Override
    public void wrote(Holding holding, boolean accepted) {
        if (!accepted && holding.isLive() && !released.contains(holding.key())) {
            violations.report(Property.FENCED_RESOURCE, holding + ", and its write was refused");
        }
    }
}
