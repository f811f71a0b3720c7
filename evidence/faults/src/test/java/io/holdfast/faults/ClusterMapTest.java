package io.holdfast.faults;

import static io.holdfast.servers.Eventually.eventually;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.jedis.JedisNodes;
import io.holdfast.lettuce.LettuceNodes;
import io.holdfast.node.NodeProvider;
import io.holdfast.servers.ClusterServers;
import io.holdfast.servers.PatientOptions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests on a real cluster whose servers do not report a usable name. */
@Tag("server")
class ClusterMapTest {

    private static final int ATTEMPTS = 20;

    static Stream<NodeProvider> clients() {
        return Stream.of(new LettuceNodes(), new JedisNodes());
    }

    private static Holdfast connect(ClusterServers cluster, NodeProvider client) {
        return Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT, client);
    }

    private static void prefer(ClusterServers cluster, String endpoint) {
        assumeTrue(cluster.prefersEndpoint(endpoint), "the server supports only one kind of endpoint");
    }

    /** By the specification, a server without an endpoint is reached at the host that replied. */
    @ParameterizedTest
    @MethodSource("clients")
    void acquire_endpointsAreUnknown_usesTheHostThatReplied(NodeProvider client) throws InterruptedException {
        try (ClusterServers cluster = ClusterServers.start()) {
            prefer(cluster, "unknown-endpoint");
            try (Holdfast holdfast = connect(cluster, client)) {
                for (String name : List.of("a", "b", "c", "d", "e", "f")) {
                    eventually("the lock is available", () -> isAvailable(holdfast.lock(name, PatientOptions.LOCK)));
                }
            }
        }
    }

    /** When a server joins, its name may be unknown for some time. */
    @ParameterizedTest
    @MethodSource("clients")
    void acquire_hostnamesWereUnknownTemporarily_isGrantedAgain(NodeProvider client) throws InterruptedException {
        try (ClusterServers cluster = ClusterServers.start();
                Holdfast holdfast = connect(cluster, client)) {
            DistributedLock lock = holdfast.lock("a", PatientOptions.LOCK);
            eventually("the lock is available", () -> isAvailable(lock));

            prefer(cluster, "hostname");
            for (int i = 0; i < ATTEMPTS; i++) {
                // The client's other connections are open, so it reads the slot map from one of them.
                cluster.of("a").exec("CLIENT", "KILL", "TYPE", "normal");
                isAvailable(lock);
            }
            prefer(cluster, "ip");

            eventually("the lock is available again", () -> isAvailable(lock));
        }
    }

    /** Acquires and releases the lock, and returns whether that was possible. */
    private static boolean isAvailable(DistributedLock lock) throws InterruptedException {
        try {
            return lock.tryAcquire().map(lease -> lease.release() != null).orElse(false);
        } catch (QuorumUnreachableException unavailable) {
            return false;
        }
    }
}
