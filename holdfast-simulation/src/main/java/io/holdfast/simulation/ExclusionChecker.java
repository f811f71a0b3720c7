package io.holdfast.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@link Property#EXCLUSION}: at each grant, nobody else relies on a lease of the resource, unless both share it, or have resumed one
 * lease from each other. Where one of those has released it, the other learns that at its next renewal; until then it does not count,
 * except beside a later lease of the same owner, which the nodes cannot tell from it.
 */
final class ExclusionChecker implements Observer {

    private final Violations violations;
    private final Map<String, List<Holding>> holdings = new HashMap<>();
    private final Set<Holding.Key> released = new HashSet<>();

    ExclusionChecker(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void granted(Holding holding) {
        List<Holding> others = holdings.computeIfAbsent(holding.resource(), resource -> new ArrayList<>());
        others.removeIf(other -> !isReliedOn(other));
        if (holding.isLive()) {
            others.stream()
                    .filter(other -> excludes(other, holding))
                    .forEach(other -> violations.report(Property.EXCLUSION, other + ", and " + holding));
            others.add(holding);
        }
    }

    private boolean excludes(Holding other, Holding holding) {
        boolean sameOwner = other.lease().owner().equals(holding.lease().owner());
        boolean ended = released.contains(other.key()) || released.contains(holding.key());
        return (sameOwner || !ended) && !other.isTwinOf(holding) && !(other.isShared() && holding.isShared());
    }

    @Override
    public void resumed(Holding holding) {
        granted(holding);
    }

    @Override
    public void releasing(Holding holding) {
        released.add(holding.key());
    }

    /** A process that has ended relies on nothing; one that is stopped does, until its validity is over. */
    private static boolean isReliedOn(Holding holding) {
        return !holding.client().isDead() && holding.isLive();
    }
}
