package io.holdfast.simulation.check;

import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.SimulatedNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The shares of locks that the nodes have granted and that were not given up, worked out from outside. */
final class SharedHolds implements Observer {

    /** By node and resource, in one life of the node: until when they last, by its clock. */
    private final Map<String, Map<Owner, Long>> untilMicros = new HashMap<>();

    /** The same of owners who hold a lock alone: if one opens the lock to others, its share lasts as long as its key would have. */
    private final Map<String, Map<Owner, Long>> aloneUntilMicros = new HashMap<>();

    @Override
    public void processed(SimulatedNode node, Claim claim, Reply reply) {
        if (!claim.isShared()) {
            noteAlone(node, claim, reply);
        }
        Map<Owner, Long> shares =
                untilMicros.computeIfAbsent(node.inThisLife(claim.resource()), place -> new HashMap<>());
        if (claim.isRelease() && claim.isShared()) {
            shares.remove(claim.owner());
        } else if (claim.isShared() && reply instanceof Reply.Granted) {
            long until = Math.max(until(node, claim), aloneUntil(node, claim));
            // An attempt that comes twice changes nothing the second time.
            boolean again = claim.action() == Claim.Action.ACQUIRE;
            shares.merge(claim.owner(), until, (old, fresh) -> again && old > now(node) ? old : Math.max(old, fresh));
        }
    }

    private static long until(SimulatedNode node, Claim claim) {
        return now(node) + claim.ttl().toNanos() / 1_000;
    }

    private void noteAlone(SimulatedNode node, Claim claim, Reply reply) {
        Map<Owner, Long> alone =
                aloneUntilMicros.computeIfAbsent(node.inThisLife(claim.resource()), place -> new HashMap<>());
        if (claim.isRelease()) {
            alone.remove(claim.owner());
        } else if (reply instanceof Reply.Granted) {
            alone.values().removeIf(until -> until <= now(node));
            alone.merge(claim.owner(), until(node, claim), Math::max);
        }
    }

    private long aloneUntil(SimulatedNode node, Claim claim) {
        Long until = aloneUntilMicros
                .computeIfAbsent(node.inThisLife(claim.resource()), place -> new HashMap<>())
                .remove(claim.owner());
        return until == null || until <= now(node) ? 0 : until;
    }

    /** Who has one on that node for at least so much longer, which may be negative. */
    Set<Owner> of(SimulatedNode node, String resource, long moreMicros) {
        return untilMicros.getOrDefault(node.inThisLife(resource), Map.of()).entrySet().stream()
                .filter(share -> share.getValue() > now(node) + moreMicros)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Whether there is such an owner. */
    boolean isHeld(SimulatedNode node, String resource, long moreMicros) {
        long least = now(node) + moreMicros;
        for (long until :
                untilMicros.getOrDefault(node.inThisLife(resource), Map.of()).values()) {
            if (until > least) {
                return true;
            }
        }
        return false;
    }

    private static long now(SimulatedNode node) {
        return node.time().now().wallMicros();
    }
}
