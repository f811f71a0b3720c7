package io.holdfast.simulation.check;

import io.holdfast.lease.Loss;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.SimulatedClient;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The owners whose lease several clients hold at once, or one client twice, by one handle. If one of them releases it
 * while another one renews it, a repair may leave the lock on a minority of the nodes: a limit that {@code
 * docs/fencing.md} names.
 */
final class JointOwners implements Observer {

    private final Map<Owner, SimulatedClient> users = new HashMap<>();
    private final Set<Owner> joint = new HashSet<>();
    /** The number of leases of an owner that have not ended. */
    private final Map<Owner, Integer> live = new HashMap<>();

    @Override
    public void asked(SimulatedClient client, Claim claim) {
        SimulatedClient first = users.putIfAbsent(claim.owner(), client);
        if (first != null && !first.equals(client)) {
            joint.add(claim.owner());
        }
    }

    @Override
    public void granted(ObservedLease holding) {
        live.merge(holding.key().owner(), 1, Integer::sum);
    }

    @Override
    public void resumed(ObservedLease holding) {
        if (live.merge(holding.key().owner(), 1, Integer::sum) > 1) {
            joint.add(holding.key().owner());
        }
    }

    @Override
    public void released(ObservedLease holding) {
        ended(holding);
    }

    @Override
    public void detached(ObservedLease holding) {
        ended(holding);
    }

    @Override
    public void lost(ObservedLease holding, Loss loss) {
        ended(holding);
    }

    private void ended(ObservedLease holding) {
        live.computeIfPresent(holding.key().owner(), (owner, count) -> count == 1 ? null : count - 1);
    }

    boolean contains(Owner owner) {
        return joint.contains(owner);
    }
}
