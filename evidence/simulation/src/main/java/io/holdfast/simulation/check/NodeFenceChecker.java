package io.holdfast.simulation.check;

import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedNode;
import io.holdfast.simulation.world.Violations;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@link Property#NODE_FENCES} and {@link Property#FLOOR}: the fences that a node accepts, while it remembers and after
 * it forgot.
 */
final class NodeFenceChecker implements Observer {

    private final Violations violations;
    /** By node and resource, in one life of the node: the greatest fence of a claim that was granted. */
    private final Map<String, Long> accepted = new HashMap<>();

    private final Map<Owner, List<SimulatedNode>> voters = new HashMap<>();
    /** By attempt: the greatest token that it may give. */
    private final Map<Owner, Long> tops = new HashMap<>();
    /** A repair that finds the key of its owner accepts no fence; for a share, the checker cannot see that. */
    private boolean mayExtendOnly;

    /** By node, in all its lives: the greatest token that it has helped to grant. */
    private final Map<String, Long> voted = new HashMap<>();

    NodeFenceChecker(Violations violations) {
        this.violations = violations;
    }

    @Override
    public void processed(SimulatedNode node, Claim claim, Reply reply) {
        String place = node.inThisLife(claim.resource());
        boolean granted = reply instanceof Reply.Granted;
        long rejectsUpTo = node.memory().rejectsUpTo(claim.resource()).value();
        long known = accepted.getOrDefault(place, 0L);
        if (rejectsUpTo < known) {
            violations.report(Property.NODE_FENCES, place + " accepts fences above " + rejectsUpTo + " after " + known);
        }
        boolean repaired = claim.action() == Claim.Action.REPAIR && !mayExtendOnly;
        if (granted && (claim.action() == Claim.Action.ACQUIRE || repaired)) {
            accepted.merge(place, claim.greatestFence().value(), Math::max);
        }
        if (claim.action() == Claim.Action.ACQUIRE && granted) {
            voters.computeIfAbsent(claim.owner(), owner -> new ArrayList<>()).add(node);
            tops.put(claim.owner(), claim.greatestFence().value());
        } else if (claim.isRelease()) {
            tops.remove(claim.owner());
            voters.remove(claim.owner());
        }
    }

    @Override
    public void arrived(SimulatedNode node, Claim claim) {
        mayExtendOnly = claim.isShared() || claim.owner().equals(node.memory().ownerOf(claim.resource()));
        long highest = node.memory().fenceBound().value();
        long known = voted.getOrDefault(node.name(), 0L);
        if (highest < known && node.memory().votes()) {
            violations.report(
                    Property.FLOOR,
                    node.name() + " votes, and the greatest fence it knows is " + highest
                            + "; before it forgot, it helped to" + " grant " + known);
        }
    }

    @Override
    public void granted(ObservedLease holding) {
        List<SimulatedNode> nodes = voters.remove(holding.lease().owner());
        Long top = tops.remove(holding.lease().owner());
        if (nodes != null && top != null) {
            nodes.forEach(node -> voted.merge(node.name(), top, Math::max));
        }
    }
}
