package io.holdfast.simulation;

import io.holdfast.node.Claim;
import io.holdfast.node.Owner;
import io.holdfast.node.Reply;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The shares of locks that the nodes have granted and that were not given up, worked out from outside. */
final class Shares implements Observer {

    /** By node and resource, in one life of the node: until when they last, by its clock. */
    private final Map<String, Map<Owner, Long>> untilMicros = new HashMap<>();

    @Override
    public void processed(SimulatedNode node, Claim claim, Reply reply) {
        Map<Owner, Long> shares =
                untilMicros.computeIfAbsent(node.inThisLife(claim.resource()), place -> new HashMap<>());
        if (claim.isGivingUp()) {
            shares.remove(claim.owner());
        } else if (claim.isShared() && reply instanceof Reply.Granted) {
            long until = now(node) + claim.ttl().toNanos() / 1_000;
            // An attempt that comes twice changes nothing the second time.
            boolean again = claim.action() == Claim.Action.ACQUIRE;
            shares.merge(claim.owner(), until, (old, fresh) -> again && old > now(node) ? old : Math.max(old, fresh));
        }
    }

    /** Who has one on that node for at least so much longer, which may be negative. */
    Set<Owner> of(SimulatedNode node, String resource, long moreMicros) {
        return untilMicros.getOrDefault(node.inThisLife(resource), Map.of()).entrySet().stream()
                .filter(share -> share.getValue() > now(node) + moreMicros)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static long now(SimulatedNode node) {
        return node.time().now().wallMicros();
    }
}
