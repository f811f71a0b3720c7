package io.holdfast.simulation;

import io.holdfast.node.Claim;
import io.holdfast.node.Owner;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@link Property#NOTHING_LEFT} and {@link Property#BOUNDED_MEMORY}: what is on the nodes when all is well again. */
final class LeftOverChecker implements Observer {

    private final Violations violations;
    private final List<SimulatedNode> nodes;
    /** Attempts that were given up, and those among them that were so before the faults ended. */
    private final Map<Owner, SimulatedClient> givenUp = new HashMap<>();

    private Map<Owner, SimulatedClient> over = Map.of();
    private final Set<String> resources = new HashSet<>();

    LeftOverChecker(Violations violations, List<SimulatedNode> nodes) {
        this.violations = violations;
        this.nodes = nodes;
    }

    @Override
    public void sent(SimulatedClient client, SimulatedNode node, Claim claim) {
        resources.add(claim.resource());
        if (claim.isGivingUp()) {
            givenUp.put(claim.owner(), client);
        }
    }

    @Override
    public void healed() {
        over = Map.copyOf(givenUp);
    }

    @Override
    public void calm() {
        for (SimulatedNode node : nodes) {
            for (String resource : resources) {
                Owner owner = node.memory().ownerOf(resource);
                SimulatedClient client = owner == null ? null : over.get(owner);
                if (client != null && !client.isDead()) {
                    violations.report(
                            Property.NOTHING_LEFT,
                            node.name() + " keeps " + resource + " for " + client.name() + ", who gave it up");
                }
            }
        }
    }

    @Override
    public void ended() {
        for (SimulatedNode node : nodes) {
            if (node.memory().fences() > resources.size()) {
                violations.report(
                        Property.BOUNDED_MEMORY,
                        node.name() + " keeps " + node.memory().fences() + " fences");
            }
        }
    }
}
