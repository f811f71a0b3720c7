package io.holdfast.simulation;

import io.holdfast.node.Claim;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** {@link Property#LIVENESS}: how soon after the faults each lock is granted that anybody asks for. */
final class LivenessChecker implements Observer {

    private final Violations violations;
    private final List<String> resources;
    private final Duration bound;
    private final Set<String> asked = new HashSet<>();
    private final Set<String> granted = new HashSet<>();

    LivenessChecker(Violations violations, List<String> resources, Duration bound) {
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
    public void sent(SimulatedClient client, SimulatedNode node, Claim claim) {
        if (claim.action() == Claim.Action.ACQUIRE) {
            asked.add(claim.resource());
        }
    }

    @Override
    public void granted(Holding holding) {
        granted.add(holding.resource());
    }

    /** Whether every lock has been granted since the faults ended. */
    boolean isSatisfied() {
        return granted.containsAll(resources);
    }

    /** The bound is over. */
    void check() {
        resources.stream()
                .filter(resource -> asked.contains(resource) && !granted.contains(resource))
                .forEach(resource ->
                        violations.report(Property.LIVENESS, resource + " was not granted within " + bound));
    }
}
