package io.holdfast.stress.client;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.servers.PatientOptions;
import java.util.Collection;
import java.util.List;

/** Three healthy nodes of one kind, so that every violation is a fault of the library. */
public interface Nodes extends AutoCloseable {

    int COUNT = 3;

    /** The options of all clients. The nodes are never restarted, so they need no quarantine. */
    HoldfastOptions OPTIONS = PatientOptions.CLIENT.toBuilder()
            .restarts(RestartPolicy.DURABLE)
            .maxLease(LockOptions.DEFAULT.lease().multipliedBy(2))
            .build();

    /** The kind of nodes, and the Redis client that connects to them. */
    enum Type {
        MEMORY,
        LETTUCE,
        JEDIS
    }

    static Nodes start(Type type) {
        return type == Type.MEMORY ? new MemoryNodes() : new ServerNodes(type);
    }

    /** Connects another client with its own threads. */
    Connected connect(long seed);

    /**
     * Lists what is on the nodes besides fences and markers, in words: locks, shared holds, wait queues, reservations.
     */
    List<String> leftovers(Collection<String> resources);

    @Override
    void close();

    /**
     * A connected client.
     *
     * @param onClose closes the client's other resources after the client
     */
    record Connected(Holdfast holdfast, Runnable onClose) {}
}
