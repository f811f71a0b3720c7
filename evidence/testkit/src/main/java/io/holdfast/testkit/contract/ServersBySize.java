package io.holdfast.testkit.contract;

import io.holdfast.Holdfast;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import io.holdfast.testkit.contract.ClientsContract.Size;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Real servers for contracts, shared by all of their tests. The Redis client on the class path connects to them. Tests
 * may run beside each other.
 */
public final class ServersBySize implements AutoCloseable {

    private final Map<Size, RedisServers> servers = new ConcurrentHashMap<>();
    private @Nullable RedisServers previous;

    public Holdfast connect(Size size) {
        return Holdfast.connect(
                servers.computeIfAbsent(size, ServersBySize::start).addresses(),
                PatientOptions.CLIENT.toBuilder()
                        .maxLease(LockOptions.MAX_LEASE)
                        .build());
    }

    /** Connects a client that has one previous node as well, while the nodes are being changed. */
    Holdfast connectToBothSets(Size size) {
        return Holdfast.connect(
                servers.computeIfAbsent(size, ServersBySize::start).addresses(),
                PatientOptions.CLIENT.toBuilder()
                        .maxLease(LockOptions.MAX_LEASE)
                        .previousNodes(previousAddresses())
                        .build());
    }

    /** Connects to addresses with this parameter, whose nodes do not support quarantine. */
    Holdfast connect(Size size, String parameter) {
        return Holdfast.connect(
                servers.computeIfAbsent(size, ServersBySize::start).addresses().stream()
                        .map(address -> address + parameter)
                        .toList(),
                PatientOptions.CLIENT.toBuilder()
                        .maxLease(LockOptions.MAX_LEASE)
                        .restarts(RestartPolicy.DURABLE)
                        .build());
    }

    private static RedisServers start(Size size) {
        RedisServers servers = RedisServers.start(size.nodes());
        for (int i = 0; i < size.dead(); i++) {
            servers.get(i).kill();
        }
        return servers;
    }

    private synchronized List<String> previousAddresses() {
        RedisServers started = previous == null ? RedisServers.start(1) : previous;
        previous = started;
        return started.addresses();
    }

    @Override
    public synchronized void close() {
        if (previous != null) {
            previous.close();
            previous = null;
        }
        servers.values().forEach(RedisServers::close);
        servers.clear();
    }
}
