package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static io.holdfast.testkit.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DistributedLock;
import io.holdfast.HeldRecord;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.admin.LockStatus;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.node.NodeStatus;
import io.holdfast.record.LockRecord;
import io.holdfast.servers.ClusterServers;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A contract for a whole Redis Cluster that is used as one node. */
public abstract class ClusterContract {

    private static final LockOptions OPTIONS = PatientOptions.LOCK;

    @Test
    void lock_onEachShard_behavesAsOnOneServer() throws Exception {
        try (ClusterServers cluster = ClusterServers.start();
                Holdfast here = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT);
                Holdfast there = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT)) {
            Set<Integer> shards = new HashSet<>();
            for (String name : List.of("a", "b", "c", "order:{42}:lines", "d", "e", "f")) {
                shards.add(cluster.of(name).port());
                Lease first = here.lock(name, OPTIONS).acquire();
                assertThat(cluster.of(name).exec("GET", name))
                        .isEqualTo(first.owner().token());
                assertThat(there.lock(name, OPTIONS).tryAcquire()).isEmpty();
                eventually(
                        "the holder is named",
                        () -> !there.admin().status(name).holders().isEmpty());
                CompletableFuture<Lease> waiter = there.lock(name, OPTIONS).acquireAsync();
                eventually("the waiter is named", () -> {
                    LockStatus status = here.admin().status(name);
                    return status.queue().stream()
                            .anyMatch(waiting -> waiting.since().isPresent()
                                    && status.clients().containsKey(waiting.client()));
                });
                assertThat(first.extend(OPTIONS.lease())).isTrue();
                assertThat(first.release(Duration.ofMillis(100))).isEqualTo(ReleaseOutcome.RELEASED);

                Lease second = waiter.get();
                assertThat(second.fencingToken().isAbove(first.fencingToken())).isTrue();
                assertThat(second.downgrade()).isTrue();
                here.lock(name, OPTIONS).shared().acquire().close();
                assertThat(second.release(Duration.ofSeconds(30))).isEqualTo(ReleaseOutcome.RELEASED);
                assertThat(here.lock(name, OPTIONS).tryAcquire()).isEmpty();
                assertThat(here.admin().status(name).held().orElseThrow().retained())
                        .isTrue();
            }
            assertThat(shards).hasSize(3);
            assertThat(here.admin().standings()).singleElement().matches(NodeStatus::votes);
        }
    }

    @Test
    void record_onEachShard_isFoundByTheNextHolder() throws Exception {
        try (ClusterServers cluster = ClusterServers.start();
                Holdfast here = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT);
                Holdfast there = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT)) {
            for (String name : List.of("a", "b", "c", "order:{42}:lines", "d", "e", "f")) {
                try (Lease lease = here.lock(name, OPTIONS).acquire()) {
                    assertThat(lease.record().read().isPresent()).isFalse();
                    HeldRecord record = lease.record();
                    record.read();
                    assertThat(record.write("done " + name, Duration.ofMinutes(1)))
                            .isTrue();
                }
                try (Lease lease = there.lock(name, OPTIONS).acquire()) {
                    LockRecord record = lease.record().read();
                    assertThat(record.text()).isEqualTo("done " + name);
                    assertThat(record.completeSince()).isEqualTo(LockRecord.ALWAYS);
                }
            }
            eventually(
                    "the list has all records",
                    () -> there.admin().recorded().equals(List.of("a", "b", "c", "d", "e", "f", "order:{42}:lines")));
        }
    }

    @Test
    void acquire_manyWaitersOnAShard_allAreGranted() throws Exception {
        try (ClusterServers cluster = ClusterServers.start();
                Holdfast here = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT);
                Holdfast there = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT)) {
            List<DistributedLock> locks = List.of(here.lock("a", OPTIONS), there.lock("a", OPTIONS));
            List<CompletableFuture<Void>> all = IntStream.range(0, 40)
                    .mapToObj(i -> locks.get(i % 2).acquireAsync().thenAccept(Lease::close))
                    .toList();

            CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new)).get();

            assertThat(cluster.of("a").exec("GET", "a")).isNull();
            assertThat(Objects.toString(cluster.of("a").exec("PUBSUB", "CHANNELS")))
                    .contains("holdfast:inbox:");
        }
    }

    @Test
    void failover_replicaIsPromoted_locksAreAvailableAgain() throws Exception {
        try (ClusterServers cluster = ClusterServers.start();
                Holdfast client = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT)) {
            String name = cluster.keyOfFirst();
            Lease lease = client.lock(name, OPTIONS).acquire();
            eventually("the replica has the lock", () -> replicated(cluster));

            cluster.killFirst();

            eventually("the lease is extended on the new master", () -> lease.extend(OPTIONS.lease()));
            assertThat(client.lock(name, OPTIONS).tryAcquire()).isEmpty();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
            client.lock(name, OPTIONS).acquire().close();
        }
    }

    @Test
    void admin_keysInDifferentSlots_isRejectedWithTheReason() {
        try (ClusterServers cluster = ClusterServers.start();
                Holdfast client = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT)) {
            assertThat(client.admin().status("a}b").nodes().get(0).error()).contains("rename it");
            assertThat(client.admin().breakLock("a}b").get(0).error()).contains("rename it");
        }
    }

    @Test
    void acquire_keysInDifferentSlots_isRejectedWithTheReason() {
        try (ClusterServers cluster = ClusterServers.start();
                Holdfast client = Holdfast.connect(List.of(cluster.address()), PatientOptions.CLIENT)) {
            assertThatThrownBy(() -> client.lock("a}b", OPTIONS).tryAcquire())
                    .isInstanceOf(QuorumUnreachableException.class)
                    .hasMessageContaining("rename it");
            assertThatThrownBy(() -> Holdfast.connect(cluster.address() + "?locks=transactions"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("supports only scripts");
        }
    }

    private static boolean replicated(ClusterServers cluster) {
        return !Objects.equals(cluster.replica().exec("DBSIZE"), 0L);
    }

    @Test
    void connect_serverIsNoShard_namesTheRemedy() {
        try (RedisServer single = RedisServer.start();
                Holdfast client = Holdfast.connect("redis-cluster://127.0.0.1:" + single.port())) {
            eventually(
                    "the reason is known",
                    () -> refusal(client.lock("a", OPTIONS))
                            .matches(".*the server is no shard of a cluster.*write redis://.*"));
        }
    }
}
