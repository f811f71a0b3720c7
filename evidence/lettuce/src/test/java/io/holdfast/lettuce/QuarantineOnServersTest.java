package io.holdfast.lettuce;

import static io.holdfast.servers.Eventually.eventually;
import static io.holdfast.testkit.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.lease.LeaseState;
import io.holdfast.node.NodeStatus;
import io.holdfast.servers.Appendonly;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.RedisServers;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Restarts, wrong topologies and clients with different configurations, on real servers. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class QuarantineOnServersTest {

    private static final HoldfastOptions QUICK =
            PatientOptions.CLIENT.toBuilder().maxLease(Duration.ofMillis(1_500)).build();
    private static final HoldfastOptions LONG =
            PatientOptions.CLIENT.toBuilder().maxLease(Duration.ofHours(1)).build();
    private static final LockOptions LOCK = PatientOptions.LOCK;

    /** For the clients whose quarantines are short. */
    private static final LockOptions SHORT = LOCK.toBuilder()
            .lease(QUICK.maxLease())
            .nodeTimeout(Duration.ofSeconds(1))
            .build();

    @Test
    void acquire_everyServerRestartedEmpty_waitsForTheQuarantine() throws InterruptedException {
        try (RedisServers servers = RedisServers.start(3);
                Holdfast holdfast = connect(servers, QUICK)) {
            Lease before = holdfast.lock("a", SHORT).acquire();
            before.release();
            servers.forEach(RedisServer::restartEmpty);

            Lease after = holdfast.lock("a", SHORT).acquire();

            assertThat(after.fencingToken().isAbove(before.fencingToken())).isTrue();
            eventually("all nodes vote", () -> holdfast.nodes().stream().allMatch(NodeStatus::votes));
        }
    }

    /** Two servers granted the lock. One forgets it in a restart that restores an old marker, so it must not vote. */
    @Test
    void tryAcquire_serverRestartedFromItsFile_doesNotVote() throws InterruptedException {
        RedisServerOptions persistent = RedisServerOptions.DEFAULT.withAppendonly(Appendonly.ALWAYS);
        try (RedisServers servers = RedisServers.start(3, persistent);
                Holdfast holdfast = connect(servers, LONG)) {
            servers.get(2).kill();
            holdfast.lock("a", LOCK).acquire();
            servers.get(1).restartKeepingMemory();
            servers.get(1).exec("DEL", "a");
            servers.get(2).restartKeepingMemory();

            eventually(
                    "the restarted nodes are in quarantine",
                    () -> refusal(holdfast.lock("refusal", LOCK)).contains("in quarantine"));
            assertThat(servers.get(1).exec("GET", "a")).isNull();
        }
    }

    @Test
    void tryAcquire_serverFlushed_doesNotVote() throws InterruptedException {
        try (RedisServers servers = RedisServers.start(3);
                Holdfast holdfast = connect(servers, LONG)) {
            holdfast.lock("a", LOCK).acquire();
            servers.get(0).exec("FLUSHALL");
            servers.get(1).exec("FLUSHALL");

            assertThat(refusal(holdfast.lock("refusal", LOCK))).contains("in quarantine for 39");
        }
    }

    @Test
    void acquire_declaredDurable_votesAtOnceWithItsData() throws InterruptedException {
        RedisServerOptions persistent = RedisServerOptions.DEFAULT.withAppendonly(Appendonly.ALWAYS);
        HoldfastOptions durable =
                LONG.toBuilder().restarts(RestartPolicy.DURABLE).build();
        try (RedisServers servers = RedisServers.start(3, persistent);
                Holdfast holdfast = connect(servers, durable)) {
            Lease lease = holdfast.lock("a", LOCK).acquire();
            servers.forEach(RedisServer::restartKeepingMemory);

            eventually("the servers vote again", () -> lease.extend(Duration.ofMinutes(1)));
            assertThat(holdfast.lock("a", LOCK).tryAcquire()).isEmpty();
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        }
    }

    @Test
    void renewal_keyDeletedOnOneServer_isRepaired() throws InterruptedException {
        try (RedisServers servers = RedisServers.start(3);
                Holdfast holdfast = connect(servers, LONG)) {
            LockOptions renewed = LOCK.toBuilder()
                    .lease(Duration.ofSeconds(9))
                    .nodeTimeout(Duration.ofSeconds(3))
                    .build();
            Lease lease = holdfast.lock("a", renewed).acquire();
            servers.get(0).exec("DEL", "a");

            eventually(
                    "the lock is back",
                    () -> lease.owner().token().equals(servers.get(0).exec("GET", "a")));

            lease.release();
            eventually("the lock is gone", () -> servers.get(0).exec("GET", "a") == null);
        }
    }

    @Test
    void ask_userWithoutInfo_isRejectedWithTheReason() {
        try (RedisServers servers = RedisServers.start(3)) {
            servers.forEach(server -> server.exec("ACL", "SETUSER", "locker", "on", ">pw", "~*", "+@all", "-info"));
            List<String> uris = Stream.of(0, 1, 2)
                    .map(i -> "redis://locker:pw@127.0.0.1:" + servers.get(i).port())
                    .toList();
            for (RestartPolicy policy : List.of(RestartPolicy.QUARANTINE, RestartPolicy.DURABLE)) {
                try (Holdfast client =
                        Holdfast.connect(uris, LONG.toBuilder().restarts(policy).build())) {
                    assertThat(refusal(client.lock("refusal", LOCK))).contains("may not call INFO", "grant +info");
                }
            }
        }
    }

    @Test
    void ask_sameServerUnderTwoNames_hasOneVote() {
        try (RedisServers servers = RedisServers.start(1);
                Holdfast holdfast = Holdfast.connect(
                        List.of(
                                servers.get(0).uri().toString(),
                                "redis://localhost:" + servers.get(0).port()),
                        LONG)) {
            assertThat(refusal(holdfast.lock("refusal", LOCK)))
                    .contains("is the same server as", "name each server once");
        }
    }

    @Test
    void ask_serverThatEvicts_isRejectedWithTheReason() {
        RedisServerOptions evicting =
                RedisServerOptions.DEFAULT.withConfig("maxmemory 100mb").withConfig("maxmemory-policy volatile-ttl");
        try (RedisServers servers = RedisServers.start(1, evicting);
                Holdfast holdfast = connect(servers, LONG)) {
            assertThat(refusal(holdfast.lock("refusal", LOCK))).contains("volatile-ttl", "noeviction");
        }
    }

    @Test
    void ask_shardOfACluster_isRejectedWithTheReason() {
        try (RedisServers servers = RedisServers.start(3, RedisServerOptions.DEFAULT.withConfig("appendonly no"))) {
            try (RedisServer shard = startShard();
                    Holdfast holdfast = Holdfast.connect(
                            List.of(servers.get(0).uri().toString(), shard.uri().toString()), LONG)) {
                assertThat(refusal(holdfast.lock("refusal", LOCK)))
                        .contains("shard of a cluster", "independent masters");
            }
        }
    }

    private static RedisServer startShard() {
        return RedisServer.start(RedisServerOptions.DEFAULT.withConfig("cluster-enabled yes"));
    }

    @Test
    void ask_clientsWithDifferentConfigurations_rejectsTheSecond() throws InterruptedException {
        try (RedisServers servers = RedisServers.start(3);
                Holdfast first = connect(servers, LONG);
                Holdfast second = connect(
                        servers,
                        LONG.toBuilder().maxLease(Duration.ofMinutes(2)).build())) {
            first.lock("a", LOCK).acquire().release();

            assertThat(refusal(second.lock("refusal", LOCK)))
                    .contains("longest lease 3600 s", "this client uses 3 nodes", "120 s", "holdfast admit");
            try (Holdfast single = Holdfast.connect(List.of(servers.get(0).uri().toString()), LONG)) {
                assertThat(refusal(single.lock("refusal", LOCK)))
                        .contains("a set of 3 nodes", "this client uses 1 node ");
            }
        }
    }

    @Test
    void connect_serversNeverAdmitted_waitsForTheQuarantine() throws InterruptedException {
        try (RedisServers servers = RedisServers.start(3)) {
            servers.forEach(server -> server.exec("DEL", "holdfast:marker"));
            try (Holdfast holdfast = connect(servers, LONG)) {
                assertThat(refusal(holdfast.lock("refusal", LOCK))).contains("in quarantine for");
            }
            servers.forEach(server -> server.exec("DEL", "holdfast:marker"));
            try (Holdfast holdfast = connect(servers, QUICK)) {
                assertThat(holdfast.lock("a", SHORT).acquire()).isNotNull();
            }
        }
    }

    private static Holdfast connect(RedisServers servers, HoldfastOptions options) {
        return Holdfast.connect(servers.addresses(), options);
    }
}
