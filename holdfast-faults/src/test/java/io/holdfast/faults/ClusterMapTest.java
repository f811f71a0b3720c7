package io.holdfast.faults;

import static io.holdfast.servers.Eventually.eventually;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.jedis.JedisNodes;
import io.holdfast.lettuce.LettuceNodes;
import io.holdfast.node.NodeProvider;
import io.holdfast.servers.ClusterServers;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A real cluster whose servers do not say by which name they are reached. */
@Timeout(60)
class ClusterMapTest {

    private static final int ATTEMPTS = 20;

    static Stream<NodeProvider> clients() {
        return Stream.of(new LettuceNodes(), new JedisNodes());
    }

    private static Holdfast connect(ClusterServers cluster, NodeProvider client) {
        return Holdfast.connect(List.of(cluster.address()), HoldfastOptions.DEFAULT, client);
    }

    private static void prefer(ClusterServers cluster, String endpoint) {
        assumeTrue(cluster.prefersEndpoint(endpoint), "The server knows one kind of endpoint alone");
    }

    /** By the specification, a server without an endpoint is reached where the one that was asked is. */
    @ParameterizedTest
    @MethodSource("clients")
    void acquire_endpointsAreUnknown_usesTheHostThatWasAsked(NodeProvider client) throws InterruptedException {
        try (ClusterServers cluster = ClusterServers.start()) {
            prefer(cluster, "unknown-endpoint");
            try (Holdfast holdfast = connect(cluster, client)) {
                for (String name : List.of("a", "b", "c", "d", "e", "f")) {
                    eventually("the lock is to be had", () -> isToBeHad(holdfast.lock(name)));
                }
            }
        }
    }

    /** Names are not known for a while where a server joins. */
    @ParameterizedTest
    @MethodSource("clients")
    void acquire_hostnamesWereUnknownForAWhile_isToBeHadAgain(NodeProvider client) throws InterruptedException {
        try (ClusterServers cluster = ClusterServers.start();
                Holdfast holdfast = connect(cluster, client)) {
            DistributedLock lock = holdfast.lock("a");
            eventually("the lock is to be had", () -> isToBeHad(lock));

            prefer(cluster, "hostname");
            for (int i = 0; i < ATTEMPTS; i++) {
                // Its other connections are open, so the client asks there who keeps the lock.
                cluster.of("a").exec("CLIENT", "KILL", "TYPE", "normal");
                isToBeHad(lock);
            }
            prefer(cluster, "ip");

            eventually("the lock is to be had again", () -> isToBeHad(lock));
        }
    }

    /** Takes it and gives it back. */
    private static boolean isToBeHad(DistributedLock lock) throws InterruptedException {
        try {
            return lock.tryAcquire().map(lease -> lease.release() != null).orElse(false);
        } catch (QuorumUnreachableException notNow) {
            return false;
        }
    }
}
