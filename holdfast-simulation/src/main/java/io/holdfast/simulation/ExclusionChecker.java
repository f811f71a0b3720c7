package io.holdfast.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@link Property#EXCLUSION}: at each grant, nobody else relies on a lease of the resource, unless both share it. */
final class ExclusionChecker implements Observer {

    private final Violations violations;
    private final Map<String, List<Holding>> holdings = new HashMap<>();

    ExclusionChecker(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void granted(Holding holding) {
        List<Holding> others = holdings.computeIfAbsent(holding.resource(), resource -> new ArrayList<>());
        others.removeIf(other -> !isReliedOn(other));
        if (holding.isLive()) {
            others.stream()
                    .filter(other -> !(other.isShared() && holding.isShared()))
                    .forEach(other -> violations.report(Property.EXCLUSION, other + ", and " + holding));
            others.add(holding);
        }
    }

    /** A process that has ended relies on nothing; one that is stopped does, until its validity is over. */
    private static boolean isReliedOn(Holding holding) {
        return !holding.client().isDead() && holding.isLive();
    }
}
