package io.holdfast.simulation.check;

import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@link Property#DETACHED} and {@link Property#ENDS_FOR_BOTH}: leases that pass from one user to another. */
final class HandOverChecker implements Observer {

    /** More than the clock difference of machines in the longest lease, plus the delay of the last replies. */
    private static final Duration SLACK = Duration.ofSeconds(2);

    private final World world;
    /** The client that has detached a lease, by the owner of the lease. */
    private final Map<Owner, SimulatedClient> detached = new HashMap<>();

    private final Map<Owner, List<ObservedLease>> resumed = new HashMap<>();

    HandOverChecker(World world) {
        this.world = world;
    }

    @Override
    public void detached(ObservedLease holding) {
        Owner owner = holding.lease().owner();
        boolean another = resumed.getOrDefault(owner, List.of()).stream()
                .anyMatch(twin -> twin.client().equals(holding.client()));
        if (!another) {
            detached.put(owner, holding.client());
        }
    }

    @Override
    public void resumed(ObservedLease holding) {
        Owner owner = holding.lease().owner();
        resumed.computeIfAbsent(owner, same -> new ArrayList<>()).add(holding);
        if (holding.client().equals(detached.get(owner))) {
            detached.remove(owner);
        }
    }

    @Override
    public void asked(SimulatedClient client, Claim claim) {
        if (claim.isRelease() && client.equals(detached.get(claim.owner()))) {
            detached.remove(claim.owner());
            world.violations()
                    .report(
                            Property.DETACHED,
                            client.name() + " has detached a lease of " + claim.resource() + ", and releases it");
        }
    }

    @Override
    public void released(ObservedLease holding) {
        List<ObservedLease> twins = resumed.getOrDefault(holding.lease().owner(), List.of()).stream()
                .filter(other -> !other.equals(holding) && other.isTwinOf(holding) && other.isValid())
                .toList();
        if (!twins.isEmpty()) {
            Duration longest = world.options().maxLease().multipliedBy(11).dividedBy(10);
            world.time().schedule(longest.plus(SLACK), () -> twins.forEach(this::mustBeOver));
        }
    }

    private void mustBeOver(ObservedLease twin) {
        if (!twin.client().isDead() && twin.isValid()) {
            world.violations().report(Property.ENDS_FOR_BOTH, twin + ", which the other who had it has released");
        }
    }
}
