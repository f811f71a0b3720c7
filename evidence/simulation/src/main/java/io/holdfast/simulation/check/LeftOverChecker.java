package io.holdfast.simulation.check;

import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.SimulatedNode;
import io.holdfast.simulation.world.Violations;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * {@link Property#NOTHING_LEFT} and {@link Property#BOUNDED_MEMORY}: the contents of the nodes when all is well again.
 */
final class LeftOverChecker implements Observer {

    private final Violations violations;
    private final List<SimulatedNode> nodes;
    private final SharedHolds shares;
    private final JointOwners joint;
    /** Attempts that were released or abandoned since the last end of faults; {@code over} has those from before. */
    private final Map<Owner, SimulatedClient> abandoned = new HashMap<>();

    private final Map<Owner, SimulatedClient> over = new HashMap<>();
    private final Set<String> resources = new HashSet<>();

    LeftOverChecker(Violations violations, List<SimulatedNode> nodes, SharedHolds shares, JointOwners joint) {
        this.violations = violations;
        this.nodes = nodes;
        this.shares = shares;
        this.joint = joint;
    }

    @Override
    public void asked(SimulatedClient client, Claim claim) {
        resources.add(claim.resource());
        if (claim.isRelease()) {
            abandoned.put(claim.owner(), client);
        }
    }

    @Override
    public void healed() {
        over.putAll(abandoned);
        abandoned.clear();
    }

    @Override
    public void calm() {
        for (SimulatedNode node : nodes) {
            for (String resource : resources) {
                Set<Owner> owners = new HashSet<>(shares.of(node, resource, 0));
                Optional.ofNullable(node.memory().ownerOf(resource)).ifPresent(owners::add);
                owners.forEach(owner -> check(node, resource, owner));
            }
        }
    }

    private void check(SimulatedNode node, String resource, Owner owner) {
        SimulatedClient client = over.get(owner);
        if (client != null && !client.isDead() && !joint.contains(owner)) {
            violations.report(
                    Property.NOTHING_LEFT,
                    node.name() + " keeps " + resource + " for " + client.name() + ", whose attempt has ended");
        }
    }

    @Override
    public void ended() {
        for (SimulatedNode node : nodes) {
            if (node.memory().fenceCount() > resources.size()) {
                violations.report(
                        Property.BOUNDED_MEMORY,
                        node.name() + " keeps " + node.memory().fenceCount() + " fences");
            }
        }
    }
}
