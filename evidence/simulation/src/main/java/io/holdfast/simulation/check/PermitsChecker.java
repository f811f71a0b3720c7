package io.holdfast.simulation.check;

import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.Violations;
import java.util.ArrayList;
import java.util.List;

/** {@link Property#PERMITS}: the number of permit holders of the semaphore at each grant. */
public final class PermitsChecker implements Observer {

    /** The semaphore of a run; the worker processes use the same name. */
    static final String SEMAPHORE = "pool/";

    public static final int PERMITS = 2;

    private final Violations violations;
    private final List<ObservedLease> holdings = new ArrayList<>();

    PermitsChecker(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void granted(ObservedLease holding) {
        if (!holding.resource().startsWith(SEMAPHORE)) {
            return;
        }
        holdings.removeIf(other -> other.client().isDead() || !other.isValid());
        if (holding.isValid()) {
            holdings.add(holding);
        }
        if (holdings.size() > PERMITS) {
            violations.report(Property.PERMITS, holdings.size() + " hold one of " + PERMITS + " permits: " + holdings);
        }
    }
}
