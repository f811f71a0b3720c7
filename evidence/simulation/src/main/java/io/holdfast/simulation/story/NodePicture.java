package io.holdfast.simulation.story;

import io.holdfast.lease.Owner;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.simulation.world.SimulatedNode;
import java.util.List;

/** Describes the state of a node. */
final class NodePicture {

    private NodePicture() {}

    static Story.Node of(SimulatedNode node, String lock, MessageLog log, List<Actor> actors) {
        InMemoryNode memory = node.memory();
        if (!node.isUp()) {
            return new Story.Node(node.name(), "down", null, 0, List.of(), null, 0);
        }
        Owner owner = memory.ownerOf(lock);
        String reserved = memory.reservedFor(lock);
        return new Story.Node(
                node.name(),
                memory.votes() ? "votes" : "quarantine",
                owner == null ? null : log.clientOf(owner),
                memory.timeLeft(lock).toMillis(),
                memory.waitQueue(lock).stream()
                        .map(inbox -> clientAt(inbox, actors))
                        .toList(),
                reserved == null ? null : clientAt(reserved, actors),
                memory.rejectsUpTo(lock).value());
    }

    /** All links of a client have the same inbox. */
    private static String clientAt(String inbox, List<Actor> actors) {
        return actors.stream()
                .filter(actor -> actor.client().links().stream()
                        .anyMatch(link -> link.inbox().equals(inbox)))
                .map(Actor::name)
                .findFirst()
                .orElse(inbox);
    }
}
