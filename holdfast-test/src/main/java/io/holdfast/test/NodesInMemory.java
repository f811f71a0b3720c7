package io.holdfast.test;

import io.holdfast.Holdfast;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import java.util.List;
import java.util.Random;

/** One node in this process, in real time. */
final class NodesInMemory implements LockNodes {

    private final SystemTime time = new SystemTime();
    private final List<InMemoryNode> nodes = List.of(new InMemoryNode("in-memory", time));

    @Override
    public Holdfast connect() {
        return Holdfast.forTesting(nodes, time, new Random());
    }

    @Override
    public List<String> addresses() {
        return List.of();
    }

    @Override
    public void close() {
        time.close();
    }
}
