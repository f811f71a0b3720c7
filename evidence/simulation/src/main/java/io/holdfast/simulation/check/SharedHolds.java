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

/** The shares of locks that the nodes have granted and that were not released, computed from outside. */
final class SharedHolds implements Observer {

    /** By node and resource, in one life of the node: the end of each share, by the node's clock. */
    private final Map<String, Map<Owner, Long>> untilMicros = new HashMap<>();

    /** The ends of exclusive holds: after a downgrade, the share lasts as long as the exclusive key would have. */
    private final Map<String, Map<Owner, Long>> exclusiveUntilMicros = new HashMap<>();

    @Override
    public void processed(SimulatedNode node, Claim claim, Reply reply) {
        if (!claim.isShared()) {
            recordExclusive(node, claim, reply);
        }
        Map<Owner, Long> shares =
                untilMicros.computeIfAbsent(node.inThisLife(claim.resource()), place -> new HashMap<>());
        if (claim.isRelease() && claim.isShared()) {
            shares.remove(claim.owner());
            if (claim.action() == Claim.Action.RETAIN && reply instanceof Reply.Granted) {
                shares.put(claim.owner().retained(), until(node, claim));
            }
        } else if (claim.isShared() && reply instanceof Reply.Granted) {
            long until = Math.max(until(node, claim), exclusiveUntil(node, claim));
            // A duplicate of an attempt changes nothing.
            boolean again = claim.action() == Claim.Action.ACQUIRE;
            shares.merge(claim.owner(), until, (old, fresh) -> again && old > now(node) ? old : Math.max(old, fresh));
        }
    }

    private static long until(SimulatedNode node, Claim claim) {
        return now(node) + claim.ttl().toNanos() / 1_000;
    }

    private void recordExclusive(SimulatedNode node, Claim claim, Reply reply) {
        Map<Owner, Long> exclusive =
                exclusiveUntilMicros.computeIfAbsent(node.inThisLife(claim.resource()), place -> new HashMap<>());
        if (claim.isRelease()) {
            exclusive.remove(claim.owner());
        } else if (reply instanceof Reply.Granted) {
            exclusive.values().removeIf(until -> until <= now(node));
            // A duplicate of an attempt changes nothing.
            boolean again = claim.action() == Claim.Action.ACQUIRE;
            exclusive.merge(claim.owner(), until(node, claim), (old, fresh) -> again ? old : Math.max(old, fresh));
        }
    }

    private long exclusiveUntil(SimulatedNode node, Claim claim) {
        Long until = exclusiveUntilMicros
                .computeIfAbsent(node.inThisLife(claim.resource()), place -> new HashMap<>())
                .remove(claim.owner());
        return until == null || until <= now(node) ? 0 : until;
    }

    /** Returns the owners of shares on that node that last at least this much longer, which may be negative. */
    Set<Owner> of(SimulatedNode node, String resource, long moreMicros) {
        return untilMicros.getOrDefault(node.inThisLife(resource), Map.of()).entrySet().stream()
                .filter(share -> share.getValue() > now(node) + moreMicros)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Returns whether any share on that node lasts at least this much longer. */
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
