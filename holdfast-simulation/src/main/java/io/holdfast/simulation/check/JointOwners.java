package io.holdfast.simulation.check;

import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.SimulatedNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The owners whose lease several clients hold at once, by one handle. If one client releases it while another one renews it, a repair may
 * leave the lock on a minority of the nodes: a limit that {@code docs/fencing.md} names.
 */
final class JointOwners implements Observer {

    private final Map<Owner, SimulatedClient> users = new HashMap<>();
    private final Set<Owner> joint = new HashSet<>();

    @Override
    public void sent(SimulatedClient client, SimulatedNode node, Claim claim) {
        SimulatedClient first = users.putIfAbsent(claim.owner(), client);
        if (first != null && !first.equals(client)) {
            joint.add(claim.owner());
        }
    }

    boolean contains(Owner owner) {
        return joint.contains(owner);
    }
}
