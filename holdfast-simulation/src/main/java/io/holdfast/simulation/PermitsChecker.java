package io.holdfast.simulation;

import java.util.ArrayList;
import java.util.List;

/** {@link Property#PERMITS}: how many hold a permit of the semaphore at each grant. */
final class PermitsChecker implements Observer {

    /** The semaphore of a run; the worker processes know it by the same name. */
    static final String SEMAPHORE = "pool/";

    static final int PERMITS = 2;

    private final Violations violations;
    private final List<Holding> holdings = new ArrayList<>();

    PermitsChecker(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void granted(Holding holding) {
        if (!holding.resource().startsWith(SEMAPHORE)) {
            return;
        }
        holdings.removeIf(other -> other.client().isDead() || !other.isLive());
        if (holding.isLive()) {
            holdings.add(holding);
        }
        if (holdings.size() > PERMITS) {
            violations.report(Property.PERMITS, holdings.size() + " hold one of " + PERMITS + " permits: " + holdings);
        }
    }
}
