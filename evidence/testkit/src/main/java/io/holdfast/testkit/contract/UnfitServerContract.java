package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static io.holdfast.testkit.Refusals.refusal;
import static io.holdfast.testkit.fault.Standby.follow;
import static io.holdfast.testkit.fault.Standby.promote;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.RedisServers;
import io.holdfast.testkit.ScaledTime;
import io.holdfast.testkit.fault.FaultProxy;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A contract for servers that change their role or their settings while clients are connected, with any Redis client.
 */
public abstract class UnfitServerContract {

    private static final Duration TTL = Duration.ofMinutes(1);
    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, TTL), false, PatientOptions.CLIENT.connectTimeout());
    private static final HoldfastOptions OPTIONS =
            PatientOptions.CLIENT.toBuilder().maxLease(TTL).build();
    private static final LockOptions LOCK =
            PatientOptions.LOCK.toBuilder().lease(TTL).renewal(false).build();
    /** A master that sends its data at once, without waiting for more replicas. */
    private static final RedisServerOptions QUICK = RedisServerOptions.DEFAULT.withConfig("repl-diskless-sync-delay 0");

    private static final SecureRandom RANDOM = new SecureRandom();

    /**
     * The server is promoted again with the data of its standby, so it has lost a lock although its run id is
     * unchanged.
     */
    @Test
    void tryAcquire_nodeFailedOverAndBack_isInQuarantine() throws InterruptedException {
        try (RedisServers servers = RedisServers.start(3, QUICK);
                RedisServer standby = RedisServer.start(QUICK);
                Holdfast here = connect(servers);
                Holdfast there = connect(servers)) {
            RedisServer node = servers.get(0);
            follow(standby, node);
            promote(standby);
            eventually("all nodes are connected", () -> here.nodes().stream().allMatch(NodeStatus::votes));
            Lease lease = here.lock("a", LOCK).acquire();
            eventually("all nodes have the lock", () -> servers.get(2).exec("GET", "a") != null);
            servers.get(2).exec("DEL", "a");

            follow(node, standby);
            // While the node follows, no client changes its data.
            assertThat(node.exec("GET", "a")).isNull();
            assertThat(node.exec("HGET", "holdfast:marker", "admitted")).isEqualTo("1");
            promote(node);

            // The first claim after the failover uses a connection that may have outlived it.
            assertThat(refusal(there.lock("a", LOCK))).doesNotContain("Lease");
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
            eventually("the node is in quarantine", () -> "0".equals(node.exec("HGET", "holdfast:marker", "admitted")));
        }
    }

    @Test
    void tryAcquire_replicasComeAndGo_nodesKeepVoting() throws InterruptedException {
        try (RedisServers servers = RedisServers.start(3, QUICK);
                RedisServer replica = RedisServer.start(QUICK);
                Holdfast client = connect(servers)) {
            servers.get(2).kill();
            for (RedisServer node : new RedisServer[] {servers.get(0), servers.get(1)}) {
                follow(replica, node);
                assertThat(client.lock("a", LOCK).tryAcquire()).hasValueSatisfying(Lease::close);
                promote(replica);
                assertThat(client.lock("a", LOCK).tryAcquire()).hasValueSatisfying(Lease::close);
            }
        }
    }

    /**
     * A client of an older version, which cannot detect a failover, wrote the marker. Without a failover the marker is
     * valid.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void tryAcquire_markerOfAnOlderVersion_votesUnlessTheServerWasPromoted(boolean promoted)
            throws InterruptedException {
        try (RedisServers servers = RedisServers.start(3, QUICK)) {
            for (int i = 0; i < servers.count(); i++) {
                if (promoted) {
                    servers.get(i).exec("REPLICAOF", "127.0.0.1", "1");
                    promote(servers.get(i));
                }
                assertThat(servers.get(i).exec("HGET", "holdfast:marker", "replid2"))
                        .isNull();
            }
            try (Holdfast client = connect(servers)) {
                if (promoted) {
                    assertThat(refusal(client.lock("a", LOCK))).contains("in quarantine for");
                    client.admin().admit();
                }
                assertThat(client.lock("a", LOCK).tryAcquire()).hasValueSatisfying(Lease::close);
            }
            // A client of an older version compares this field with the run id only.
            String info = Objects.toString(servers.get(0).exec("INFO", "server"));
            eventually(
                    "the first server has that field",
                    () -> info.contains("run_id:" + servers.get(0).exec("HGET", "holdfast:marker", "run")));
        }
    }

    @Test
    void ask_failoverMovesTheName_newMasterVotes() {
        try (RedisServer first = RedisServer.start(QUICK);
                RedisServer second = RedisServer.start(QUICK);
                FaultProxy name = FaultProxy.to(first.uri());
                SystemTime time = new SystemTime();
                LockNode node = connect(name.uri(), time)) {
            assertThat(ask(node, "a")).isEqualTo(Reply.GRANTED);
            follow(second, first);

            name.lead(second.uri());
            promote(second);
            follow(first, second);

            eventually("the new master votes", () -> ask(node, "b").equals(Reply.GRANTED));
            assertThat(second.exec("GET", "b")).isNotNull();
        }
    }

    @Test
    void ask_nameMovesFromReplicaToMaster_masterVotes() {
        try (RedisServer master = RedisServer.start(QUICK);
                RedisServer replica = RedisServer.start(QUICK);
                FaultProxy name = FaultProxy.to(replica.uri());
                ScaledTime fast = ScaledTime.fast(20)) {
            follow(replica, master);
            try (LockNode node = connect(name.uri(), fast)) {
                eventually(
                        "the replica is reported",
                        () -> ask(node, "a").toString().contains("it is a replica"));

                name.lead(master.uri());

                eventually("the master votes", () -> ask(node, "a").equals(Reply.GRANTED));
            }
        }
    }

    /** No client requests a lock in the meantime, so no error reply reveals the change. */
    @ParameterizedTest
    @ValueSource(strings = {"", "?locks=transactions"})
    void session_serverWasReplicaTemporarily_isReplaced(String parameter) {
        try (RedisServer server = RedisServer.start(QUICK);
                RedisServer other = RedisServer.start(QUICK);
                ScaledTime fast = ScaledTime.fast(20);
                LockNode node = connect(URI.create(server.uri() + parameter), fast)) {
            assertThat(ask(node, "a")).isEqualTo(Reply.GRANTED);
            String before = clients(server);

            follow(server, other);
            promote(server);

            eventually("the connection was replaced", () -> !clients(server).equals(before));
            eventually("the node votes", () -> ask(node, "b").equals(Reply.GRANTED));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?locks=transactions"})
    void ask_serverIsSetToEvict_stopsVotingUntilItIsSetBack(String parameter) {
        try (RedisServer server = RedisServer.start(QUICK);
                ScaledTime fast = ScaledTime.fast(20);
                LockNode node = connect(URI.create(server.uri() + parameter), fast)) {
            assertThat(ask(node, "a")).isEqualTo(Reply.GRANTED);
            String before = clients(server);

            server.exec("CONFIG", "SET", "maxmemory", "100mb");
            server.exec("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");

            eventually("the node does not vote", () -> ask(node, "b").toString().contains("allkeys-lru"));
            eventually("the connection was replaced", () -> !clients(server).equals(before));
            server.exec("CONFIG", "SET", "maxmemory-policy", "noeviction");
            eventually("the node votes again", () -> ask(node, "c").equals(Reply.GRANTED));
        }
    }

    /** Returns the ids of the connections of the client under test. */
    private static String clients(RedisServer server) {
        return Objects.toString(server.exec("CLIENT", "LIST"))
                .lines()
                .filter(line -> !line.contains("cmd=client"))
                .filter(line -> !line.contains("flags=M") && !line.contains("flags=S"))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList()
                .toString();
    }

    private static Holdfast connect(RedisServers servers) {
        return Holdfast.connect(servers.addresses(), OPTIONS);
    }

    private static LockNode connect(URI uri, Time time) {
        return ClientUnderTest.connect(uri, SETTINGS, time);
    }

    private static Reply ask(LockNode node, String resource) {
        Claim claim =
                Claim.acquire(resource, Owner.fresh(RANDOM), TTL, new FencingToken(1_000_000 + RANDOM.nextInt(1_000)));
        return node.ask(claim).toCompletableFuture().join();
    }
}
