package io.holdfast.simulation.world;

import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import java.util.HashSet;
import java.util.Set;

/** The standing claims that nodes have carried out: their first validity is shorter than their lease. */
public final class CarriedOutClaims implements Observer {

    private final Set<Owner> owners = new HashSet<>();

    @Override
    public void processed(SimulatedNode node, Claim claim, Reply reply) {
        if (claim.isRelease()) {
            owners.remove(claim.owner());
        }
    }

    @Override
    public void carriedOut(SimulatedNode node, Claim claim) {
        owners.add(claim.owner());
    }

    /** Returns {@code true} if a node has carried out the claim of this lease, and none has processed a release. */
    public boolean include(ObservedLease holding) {
        return owners.contains(holding.lease().owner());
    }
}
