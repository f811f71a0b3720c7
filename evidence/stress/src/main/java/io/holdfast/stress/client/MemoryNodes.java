package io.holdfast.stress.client;

import io.holdfast.Holdfast;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Nodes in this process. They reply at once, so threads contend far more often than over a network. */
public final class MemoryNodes implements Nodes {

    private final SystemTime time = new SystemTime();
    private final List<InMemoryNode> nodes = IntStream.range(0, COUNT)
            .mapToObj(node -> new InMemoryNode("memory-" + node, time))
            .toList();

    @Override
    public Connected connect(long seed) {
        FailingTime own = new FailingTime();
        return new Connected(Holdfast.over(nodes, OPTIONS, own, new Random(seed)), own::close);
    }

    @Override
    public List<String> leftovers(Collection<String> resources) {
        List<String> left = new ArrayList<>();
        for (InMemoryNode node : nodes) {
            for (String resource : resources) {
                addIf(node.ownerOf(resource) != null, node, "lock", resource, left);
                addIf(!node.waitQueue(resource).isEmpty(), node, "wait queue", resource, left);
                addIf(node.reservedFor(resource) != null, node, "reservation", resource, left);
            }
        }
        return left;
    }

    private static void addIf(boolean condition, InMemoryNode node, String what, String resource, List<String> left) {
        if (condition) {
            left.add(what + " of " + resource + " on " + node.name());
        }
    }

    @Override
    public void close() {
        time.close();
    }
}
