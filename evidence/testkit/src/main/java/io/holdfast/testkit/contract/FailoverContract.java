package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static io.holdfast.testkit.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.RestartPolicy;
import io.holdfast.redis.client.RequiredAcl;
import io.holdfast.redis.keys.Keys;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.SentinelServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A contract for a node that consists of a master, a replica and a Sentinel, and for its failover. */
public abstract class FailoverContract {

    private static final LockOptions OPTIONS = PatientOptions.LOCK;

    /** A master that sends its data at once, without waiting for more replicas. */
    private static final RedisServerOptions QUICK = RedisServerOptions.DEFAULT.withConfig("repl-diskless-sync-delay 0");

    private final RedisServer master = RedisServer.start(QUICK);
    private final RedisServer replica = RedisServer.start(QUICK);

    @TempDir
    private Path directory;

    @BeforeEach
    void follow() {
        replica.exec("REPLICAOF", "127.0.0.1", Integer.toString(master.port()));
        eventually(
                "the replica is online",
                () -> Objects.toString(master.exec("INFO", "replication")).contains("state=online"));
    }

    @AfterEach
    void close() {
        master.close();
        replica.close();
    }

    private static Holdfast connect(SentinelServer sentinel) {
        return connect(sentinel, 0);
    }

    private static Holdfast connect(SentinelServer sentinel, int replicas) {
        return Holdfast.connect(
                List.of(sentinel.address()),
                PatientOptions.CLIENT.toBuilder().replicas(replicas).build());
    }

    @Test
    void failover_lockWasReplicated_isStillHeld() throws Exception {
        try (SentinelServer sentinel = SentinelServer.over(master, directory);
                Holdfast here = connect(sentinel);
                Holdfast there = connect(sentinel)) {
            Lease lease = here.lock("a", OPTIONS).acquire();
            eventually("the replica has the lock", () -> replica.exec("GET", "a") != null);

            sentinel.replaceKilled(master, replica);

            eventually("the new master rejects other clients", () -> isRefused(there));
            eventually("the lease can be extended", () -> lease.extend(OPTIONS.lease()));
        }
    }

    /**
     * Returns {@code true} if a node has the lock. Otherwise releases it, so that the client does not refuse itself.
     */
    private static boolean isRefused(Holdfast client) throws InterruptedException {
        try {
            Optional<Lease> granted = client.lock("a", OPTIONS).tryAcquire();
            granted.ifPresent(Lease::close);
            return granted.isEmpty();
        } catch (QuorumUnreachableException notConnectedYet) {
            return false;
        }
    }

    /**
     * A single node that fails over cannot promise exclusion: replication is asynchronous, and the replica lacks the
     * latest writes.
     */
    @Test
    void failover_lockWasNotReplicated_isGrantedAgainWithAGreaterToken() throws Exception {
        try (SentinelServer sentinel = SentinelServer.over(master, directory);
                Holdfast here = connect(sentinel);
                Holdfast there = connect(sentinel)) {
            replica.exec("REPLICAOF", "NO", "ONE");
            Lease lease = here.lock("a", OPTIONS).acquire();
            assertThat(replica.exec("GET", "a")).isNull();

            sentinel.replaceKilled(master, replica);
            Lease second = there.lock("a", OPTIONS).acquire();

            assertThat(lease.state().isValid() && second.state().isValid()).isTrue();
            assertThat(second.fencingToken().isAbove(lease.fencingToken())).isTrue();
        }
    }

    /**
     * Until a Sentinel demotes it, an old master that is alive says what it always said. A client that stays with it is
     * granted a lock that a new client holds on the new master. Here it never is demoted, since Sentinel may not do it.
     */
    @Test
    void failover_oldMasterIsNotDemoted_oldClientLeavesIt() throws Exception {
        try (SentinelServer sentinel = SentinelServer.over(master, directory);
                Holdfast old = connect(sentinel)) {
            old.lock("a", OPTIONS).acquire().close();
            master.exec("ACL", "SETUSER", "default", "-replicaof", "-slaveof");

            sentinel.failOverTo(replica);

            try (Holdfast fresh = connect(sentinel)) {
                Lease lease = fresh.lock("a", OPTIONS).acquire();
                eventually("the old client is refused, too", () -> isRefused(old));
                assertThat(lease.state().isValid()).isTrue();
                assertThat(master.exec("ROLE").toString()).contains("master");
            }
        }
    }

    /**
     * The new master is another process than the admitted one and may have lost data, so its vote does not count yet.
     */
    @Test
    void failover_nodeWithQuarantine_isQuarantined() {
        try (SentinelServer sentinel = SentinelServer.over(master, directory);
                Holdfast client = Holdfast.connect(
                        List.of(sentinel.address()),
                        PatientOptions.CLIENT.toBuilder()
                                .restarts(RestartPolicy.QUARANTINE)
                                .build())) {
            client.admin().admit();
            eventually(
                    "the node votes",
                    () -> client.lock("a", OPTIONS).tryAcquire().isPresent());

            sentinel.replaceKilled(master, replica);

            eventually(
                    "the node is in quarantine",
                    () -> refusal(client.lock("b", OPTIONS)).contains("in quarantine for"));
        }
    }

    @Test
    void acquire_replicasRequiredButFrozen_isRejected() throws Exception {
        try (SentinelServer sentinel = SentinelServer.over(master, directory);
                Holdfast careful = connect(sentinel, 1)) {
            careful.lock("a", OPTIONS).acquire().close();
            replica.freeze();

            assertThatThrownBy(() -> careful.lock("b", OPTIONS).tryAcquire())
                    .isInstanceOf(QuorumUnreachableException.class)
                    .hasMessageContaining("0 of 1 replicas");
            eventually("nothing is left", () -> master.exec("GET", "b") == null);

            replica.thaw();
            careful.lock("b", OPTIONS).acquire().close();
        }
    }

    /** A claim that a release carries out would be granted before a replica has it. */
    @Test
    void acquire_replicasRequiredButFrozenAtTheHandOver_isRejected() throws Exception {
        LockOptions options =
                OPTIONS.toBuilder().waitLimit(Duration.ofSeconds(5)).build();
        try (SentinelServer sentinel = SentinelServer.over(master, directory);
                Holdfast holder = connect(sentinel, 1);
                Holdfast waiter = connect(sentinel, 1)) {
            Lease held = holder.lock("a", OPTIONS).acquire();
            CompletableFuture<Lease> next = waiter.lock("a", options).acquireAsync();
            String queue = Keys.of("a").queue();
            eventually("the waiter is queued", () -> Long.valueOf(1).equals(master.exec("ZCARD", queue)));
            replica.freeze();

            held.release();

            assertThatThrownBy(next::join).hasMessageContaining("0 of 1 replicas");
            replica.thaw();
        }
    }

    /** An error reply is not a count of replicas: the message has to name the missing right. */
    @Test
    void acquire_replicasRequiredButUserMayNotWait_namesTheMissingRight() throws Exception {
        String user = "ACL SETUSER locker on >pw ~* resetchannels &holdfast:inbox:* -@all " + RequiredAcl.text();
        master.exec(user.split(" "));
        try (Holdfast careful = Holdfast.connect(
                List.of("redis://locker:pw@127.0.0.1:" + master.port()),
                PatientOptions.CLIENT.toBuilder().replicas(1).build())) {
            assertThatThrownBy(() -> careful.lock("a", OPTIONS).tryAcquire())
                    .isInstanceOf(QuorumUnreachableException.class)
                    .hasMessageContaining("may not WAIT")
                    .hasMessageContaining(RequiredAcl.FOR_REPLICAS);
            assertThat(missingRights(careful)).containsAnyOf(RequiredAcl.FOR_REPLICAS, "cannot be tried");

            master.exec("ACL", "SETUSER", "locker", RequiredAcl.FOR_REPLICAS);

            careful.lock("a", OPTIONS).acquire().close();
            assertThat(missingRights(careful)).doesNotContain(RequiredAcl.FOR_REPLICAS);
        }
    }

    /** Returns the missing rights as {@code holdfast doctor} reports them. */
    private String missingRights(Holdfast client) {
        master.exec("ACL", "SETUSER", "locker", "+acl|whoami", "+acl|dryrun");
        return client.admin().examine().toString();
    }

    @Test
    void connect_unknownMaster_isReportedByName() {
        try (SentinelServer sentinel = SentinelServer.over(master, directory);
                Holdfast client = Holdfast.connect(List.of(sentinel.address() + "x"), PatientOptions.CLIENT)) {
            assertThatThrownBy(() -> client.lock("a", OPTIONS).tryAcquire())
                    .isInstanceOf(QuorumUnreachableException.class)
                    .hasMessageContaining("'locksx'")
                    .hasMessageContaining("knows none");
        }
        String noSentinels = "redis-sentinel://127.0.0.1:" + master.port() + ",127.0.0.1:" + replica.port() + "#main";
        try (Holdfast client = Holdfast.connect(List.of(noSentinels), PatientOptions.CLIENT)) {
            assertThatThrownBy(() -> client.lock("a", OPTIONS).tryAcquire())
                    .isInstanceOf(QuorumUnreachableException.class)
                    .hasMessageContainingAll(
                            "'main': redis://127.0.0.1:" + master.port()
                                    + ": not a Sentinel, since it knows no command",
                            "for the server alone; redis://127.0.0.1:" + replica.port())
                    .message()
                    .doesNotContain("knows none", ";;");
        }
        assertThatThrownBy(() -> Holdfast.connect("redis-sentinel://localhost:26379"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("#name");
    }
}
