package io.holdfast.test;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import java.util.List;
import java.util.Random;

/**
 * One node in this process, in real time. Its longest lease is that of production, so that a test rejects what
 * production does.
 */
final class NodesInMemory implements LockNodes {

    private static final HoldfastOptions OPTIONS =
            HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build();

    private final SystemTime time = new SystemTime();
    private final List<InMemoryNode> nodes = List.of(new InMemoryNode("in-memory", time));

    @Override
    public Holdfast connect() {
        return Holdfast.over(nodes, OPTIONS, time, new Random());
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
