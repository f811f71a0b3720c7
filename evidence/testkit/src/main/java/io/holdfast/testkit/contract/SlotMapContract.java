package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.HeldRecord;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException.NodeReply;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.redis.client.RequiredAcl;
import io.holdfast.servers.ClusterServers;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A contract for a client whose slot map of a Redis Cluster is outdated, missing or unusable. */
public abstract class SlotMapContract {

    private static final LockOptions OPTIONS = PatientOptions.LOCK;

    @Test
    void failover_monitorMakesNoClaims_findsTheNewMaster() throws Exception {
        try (ClusterServers cluster = ClusterServers.start();
                Holdfast client = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT);
                Holdfast monitor = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT)) {
            String name = cluster.keyOfFirst();
            client.lock(name, OPTIONS).acquire();
            assertThat(monitor.admin().status(name).held()).isPresent();

            cluster.failOver();

            assertThat(monitor.admin().status(name).nodes().get(0).error())
                    .startsWith("MOVED: another shard of the cluster serves the slot");
            eventually(
                    "the monitor finds the lock on the new master",
                    () -> monitor.admin().status(name).held().isPresent());
        }
    }

    @Test
    void failover_clientReadsRecordsOnly_findsTheNewMaster() throws Exception {
        try (ClusterServers cluster = ClusterServers.start();
                Holdfast client = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT);
                Holdfast monitor = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT)) {
            String name = cluster.keyOfFirst();
            Lease lease = client.lock(name, OPTIONS).acquire();
            HeldRecord record = lease.record();
            record.read();
            assertThat(record.write("done", Duration.ofMinutes(5))).isTrue();

            cluster.failOver();

            eventually(
                    "the monitor reads the record from the new master",
                    () -> monitor.admin().record(name).text().equals("done"));
        }
    }

    @Test
    void failover_clientSendsNothing_findsTheNewMaster() {
        try (ClusterServers cluster = ClusterServers.start();
                Holdfast monitor = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT)) {
            eventually("all shards are connected", () -> monitor.nodes().get(0).votes());

            cluster.killFirst();

            eventually("the outage is known", () -> !monitor.nodes().get(0).votes());
            eventually(
                    "the cluster votes with its new master",
                    () -> monitor.nodes().get(0).votes());
        }
    }

    @Test
    void acquire_shardWasDemoted_goesToTheNewMasterAndNeverLooksLasting() {
        try (ClusterServers cluster = ClusterServers.start();
                Holdfast client = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT)) {
            eventually("the slot map is known", () -> client.nodes().get(0).votes());

            cluster.failOver();

            acquireBesidesLastingFailures(client, cluster.keyOfFirst());
        }
    }

    @Test
    void acquire_slotHasMoved_goesToItsNewShardAndNeverLooksLasting() {
        try (ClusterServers cluster = ClusterServers.start();
                Holdfast client = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT)) {
            String name = cluster.keyOfFirst();
            eventually("the slot map is known", () -> client.nodes().get(0).votes());

            moveSlot(name, cluster.first(), cluster.last());

            acquireBesidesLastingFailures(client, name);
        }
    }

    /** Acquires as the command does, which ends at a failure that waiting does not mend. */
    private static void acquireBesidesLastingFailures(Holdfast client, String name) {
        eventually("the lock is granted", () -> {
            try (Lease lease = client.lock(name, OPTIONS).acquire(Duration.ZERO)) {
                return lease.isValid();
            } catch (QuorumUnreachableException e) {
                assertThat(e.replies()).extracting(NodeReply::kind).doesNotContain(NodeReply.Kind.UNFIT);
                return false;
            }
        });
    }

    /** As where addresses of removed servers are assigned again. Locks of two clusters have two holders. */
    @Test
    void acquire_formerServerServesAnotherCluster_staysInTheCluster() throws Exception {
        try (ClusterServers cluster = ClusterServers.start();
                Holdfast client = Holdfast.connect(List.of(cluster.addressOfFirst()), PatientOptions.CLIENT);
                Holdfast other = Holdfast.connect(List.of(cluster.addressOfFirst()), PatientOptions.CLIENT)) {
            String name = cluster.keyOfLast();
            other.lock(name, OPTIONS).acquire().close();
            cluster.removeLast();
            Lease lease = client.lock(name, OPTIONS).acquire();
            eventually(
                    "the map is known",
                    () -> other.lock(name, OPTIONS).tryAcquire().isEmpty());
            ClusterServers.ofOne(cluster.last());

            for (int i = 0; i < 20; i++) {
                other.admin().list();
                assertThat(other.lock(name, OPTIONS).tryAcquire()).isEmpty();
            }

            assertThat(lease.isValid()).isTrue();
        }
    }

    /** Moves the slot of the key, which must be empty. The order is that of the specification. */
    private static void moveSlot(String key, RedisServer from, RedisServer to) {
        String slot = Objects.toString(from.exec("CLUSTER", "KEYSLOT", key));
        String source = Objects.toString(from.exec("CLUSTER", "MYID"));
        String target = Objects.toString(to.exec("CLUSTER", "MYID"));
        to.exec("CLUSTER", "SETSLOT", slot, "IMPORTING", source);
        from.exec("CLUSTER", "SETSLOT", slot, "MIGRATING", target);
        to.exec("CLUSTER", "SETSLOT", slot, "NODE", target);
        from.exec("CLUSTER", "SETSLOT", slot, "NODE", target);
    }

    /** As when the network of a cluster changes: its servers, none of which is restarted, are named differently. */
    @Test
    void acquire_serversAreNamedDifferently_areNotTakenForOtherNodes() {
        try (ClusterServers cluster = ClusterServers.start();
                Holdfast client = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT)) {
            eventually("the slot map is known", () -> client.nodes().get(0).votes());
            long last =
                    clients(cluster.last()).mapToLong(SlotMapContract::id).max().orElseThrow();

            cluster.forEach(server -> server.exec("CONFIG", "SET", "cluster-announce-ip", "localhost"));

            eventually("a lock is granted over a connection by the other name", () -> {
                acquireBesidesLastingFailures(client, cluster.keyOfLast());
                return clients(cluster.last()).anyMatch(one -> id(one) > last && one.contains(" cmd=eval"));
            });
        }
    }

    private static Stream<String> clients(RedisServer server) {
        return Objects.toString(server.exec("CLIENT", "LIST")).lines();
    }

    private static long id(String client) {
        return Long.parseLong(client.replaceFirst("id=(\\d+) .*", "$1"));
    }

    /** The former master answers as well, without the lock, so that no failure shows that the map is outdated. */
    @Test
    void list_mapIsOutdated_containsTheLocksOfTheNewMaster() throws Exception {
        try (ClusterServers cluster = ClusterServers.start();
                Holdfast monitor = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT);
                Holdfast client = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT)) {
            String name = cluster.keyOfFirst();
            eventually("the slot map is known", () -> monitor.nodes().get(0).votes());
            cluster.failOver();
            cluster.first().exec("CLUSTER", "RESET");

            client.lock(name, OPTIONS).acquire();

            eventually(
                    "the monitor lists the lock",
                    () -> monitor.admin().list().stream()
                            .anyMatch(lock -> lock.resource().equals(name)));
        }
    }

    /** Redis reports such a map while it does not yet know a node's host name. */
    @Test
    void acquire_slotMapWasUnusable_isFetchedAgain() throws Exception {
        try (ClusterServers cluster = ClusterServers.start()) {
            assumeTrue(cluster.prefersEndpoint("hostname"), "the server knows no endpoint types");
            try (Holdfast client = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT)) {
                assertThatThrownBy(() -> client.lock("a", OPTIONS).tryAcquire())
                        .isInstanceOf(QuorumUnreachableException.class)
                        .hasMessageContaining("no server is known yet for slot ");

                cluster.prefersEndpoint("ip");

                client.lock("a", OPTIONS).acquire().close();
            }
        }
    }

    @Test
    void acquire_slotMapBecomesUnusable_keepsUsingTheFormerMap() throws Exception {
        try (ClusterServers cluster = ClusterServers.start()) {
            assumeTrue(cluster.prefersEndpoint("ip"), "the server knows no endpoint types");
            try (Holdfast client = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT)) {
                client.lock("a", OPTIONS).acquire().close();
                cluster.prefersEndpoint("hostname");
                cluster.of("a").exec("CLIENT", "KILL", "TYPE", "normal");

                client.lock("a", OPTIONS).acquire().close();
            }
        }
    }

    /** By the specification, an unknown endpoint means the host that replied. */
    @Test
    void acquire_endpointsAreUnknown_isGranted() throws Exception {
        try (ClusterServers cluster = ClusterServers.start()) {
            assumeTrue(cluster.prefersEndpoint("unknown-endpoint"), "the server knows no endpoint types");
            try (Holdfast client = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT)) {
                for (String onAnyShard : List.of("a", "b", "c", "d", "e", "f")) {
                    client.lock(onAnyShard, OPTIONS).acquire().close();
                }
            }
        }
    }

    @Test
    void acquire_userMayNotReadTheSlotMap_namesTheMissingRight() throws Exception {
        try (ClusterServers cluster = ClusterServers.start()) {
            restrict(cluster);
            try (Holdfast client = Holdfast.connect(restricted(cluster))) {
                assertThatThrownBy(() -> client.lock("a", OPTIONS).tryAcquire())
                        .isInstanceOf(QuorumUnreachableException.class)
                        .hasMessageContaining(RequiredAcl.FOR_CLUSTERS);

                cluster.forEach(server -> server.exec("ACL", "SETUSER", "locker", RequiredAcl.FOR_CLUSTERS));

                client.lock("a", OPTIONS).acquire().close();
            }
        }
    }

    /** Creates a user on all servers who has the rights for locks, and may not read the slot map. */
    private static void restrict(ClusterServers cluster) {
        String rules = "ACL SETUSER locker on >pw ~* resetchannels &holdfast:inbox:* -@all " + RequiredAcl.text();
        cluster.forEach(server -> server.exec(rules.split(" ")));
    }

    /** Returns the address with the restricted user. */
    private static String restricted(ClusterServers cluster) {
        return cluster.address().replace("://", "://locker:pw@");
    }

    @Test
    void admin_slotMapIsUnknown_failsWithTheReason() {
        try (ClusterServers cluster = ClusterServers.start()) {
            restrict(cluster);
            try (Holdfast client = Holdfast.connect(restricted(cluster))) {
                assertThatThrownBy(() -> client.admin().list())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("the servers of its slots are not known yet");
                assertThat(client.admin().status("a").nodes().get(0).error())
                        .startsWith("no server is known yet for slot ");
                assertThat(client.admin().breakLock("a").get(0).error()).startsWith("no server is known yet for slot ");
            }
        }
    }
}
