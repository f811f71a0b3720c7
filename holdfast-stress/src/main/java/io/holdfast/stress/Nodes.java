package io.holdfast.stress;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import java.util.Collection;
import java.util.List;

/** Three nodes, of one kind, that stay healthy: what goes wrong is then the library's fault. */
interface Nodes extends AutoCloseable {

    int COUNT = 3;

    /** They are never restarted, so none needs a quarantine. */
    HoldfastOptions OPTIONS = HoldfastOptions.builder()
            .restarts(RestartPolicy.DURABLE)
            .maxLease(LockOptions.DEFAULT.lease().multipliedBy(2))
            .build();

    /** Which nodes, and by which Redis client. */
    enum Type {
        MEMORY,
        LETTUCE,
        JEDIS
    }

    static Nodes start(Type type) {
        return type == Type.MEMORY ? new MemoryNodes() : new ServerNodes(type);
    }

    /** One more client of them, with threads of its own. */
    Connected connect(long seed);

    /** What is on the nodes beside fences and markers: locks, shares, wait queues, reservations; in words. */
    List<String> leftovers(Collection<String> resources);

    @Override
    void close();

    /**
     * A client.
     *
     * @param onClose ends what belongs to it, after it has been closed
     */
    record Connected(Holdfast holdfast, Runnable onClose) {}
}
