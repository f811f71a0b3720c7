package io.holdfast.simulation.check;

import io.holdfast.node.Claim;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.Violations;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** {@link Property#LIVENESS}: how soon after the faults each requested lock is granted. */
public final class LivenessChecker implements Observer {

    private final Violations violations;
    private final List<String> resources;
    private final Duration bound;
    private final Set<String> asked = new HashSet<>();
    private final Set<String> granted = new HashSet<>();

    public LivenessChecker(Violations violations, List<String> resources, Duration bound) {
        this.violations = violations;
        this.resources = resources;
        this.bound = bound;
    }

    @Override
    public void healed() {
        asked.clear();
        granted.clear();
    }

    @Override
    public void asked(SimulatedClient client, Claim claim) {
        if (claim.action() == Claim.Action.ACQUIRE) {
            asked.add(claim.resource());
        }
    }

    @Override
    public void granted(ObservedLease holding) {
        granted.add(holding.resource());
    }

    /** Returns whether every lock has been granted since the faults ended. */
    public boolean isSatisfied() {
        return granted.containsAll(resources);
    }

    /** Reports each lock that was not granted within the bound. */
    public void check() {
        resources.stream()
                .filter(resource -> asked.contains(resource) && !granted.contains(resource))
                .forEach(resource ->
                        violations.report(Property.LIVENESS, resource + " was not granted within " + bound));
    }
}
