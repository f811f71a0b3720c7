package io.holdfast.simulation.check;

import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.Violations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@link Property#EXCLUSION}: at each grant, no other user relies on a lease of the resource, unless both share it, or
 * have resumed one lease from each other. When one of those users releases it, the other learns that at its next
 * renewal. Until then it does not count, except beside a later lease of the same owner, which the nodes cannot
 * distinguish from it.
 */
final class ExclusionChecker implements Observer {

    private final Violations violations;
    private final Map<String, List<ObservedLease>> holdings = new HashMap<>();
    private final Set<ObservedLease.Key> released = new HashSet<>();

    ExclusionChecker(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void granted(ObservedLease holding) {
        List<ObservedLease> others = holdings.computeIfAbsent(holding.resource(), resource -> new ArrayList<>());
        others.removeIf(other -> !isReliedOn(other));
        if (holding.isValid()) {
            others.stream()
                    .filter(other -> excludes(other, holding))
                    .forEach(other -> violations.report(Property.EXCLUSION, other + ", and " + holding));
            others.add(holding);
        }
    }

    private boolean excludes(ObservedLease other, ObservedLease holding) {
        boolean sameOwner = other.lease().owner().equals(holding.lease().owner());
        boolean ended = released.contains(other.key()) || released.contains(holding.key());
        return (sameOwner || !ended) && !other.isTwinOf(holding) && !(other.isShared() && holding.isShared());
    }

    @Override
    public void resumed(ObservedLease holding) {
        granted(holding);
    }

    @Override
    public void releasing(ObservedLease holding) {
        released.add(holding.key());
    }

    /**
     * Returns whether the holder relies on its lease. A process that has ended does not; a stopped one does, until its
     * validity is over.
     */
    private static boolean isReliedOn(ObservedLease holding) {
        return !holding.client().isDead() && holding.isValid();
    }
}
