package io.holdfast.simulation.check;

import io.holdfast.lease.Owner;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.simulation.world.Link;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedNode;
import io.holdfast.simulation.world.World;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * {@link Property#NOTHING_HELD}: the contents of the nodes after all users have stopped and their leases have had time
 * to end.
 */
public final class NothingHeldChecker {

    private final World world;

    public NothingHeldChecker(World world) {
        this.world = world;
    }

    public void check() {
        Set<String> inboxes = world.clients().stream()
                .filter(client -> !client.isDead())
                .flatMap(client -> client.links().stream())
                .map(Link::inbox)
                .collect(Collectors.toCollection(HashSet::new));
        for (SimulatedNode node : world.nodes()) {
            node.resources().forEach(resource -> check(node, resource, inboxes));
        }
    }

    private void check(SimulatedNode node, String resource, Set<String> inboxes) {
        InMemoryNode memory = node.memory();
        Owner owner = memory.ownerOf(resource);
        if (owner != null) {
            world.violations().report(Property.NOTHING_HELD, node.name() + " keeps " + resource + " without a holder");
        }
        List<String> waiting =
                memory.waitQueue(resource).stream().filter(inboxes::contains).toList();
        if (!waiting.isEmpty()) {
            world.violations()
                    .report(Property.NOTHING_HELD, waiting.size() + " wait for " + resource + " on " + node.name());
        }
    }
}
