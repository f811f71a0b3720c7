package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static io.holdfast.servers.Eventually.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.WakeUp;
import io.holdfast.redis.client.RequiredAcl;
import io.holdfast.redis.keys.Keys;
import io.holdfast.security.Credentials;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.testkit.ScaledTime;
import io.holdfast.testkit.fault.ConnectionEnd;
import io.holdfast.testkit.fault.Direction;
import io.holdfast.testkit.fault.FaultProxy;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A contract for claims whose connection to a node fails: a real server behind a faulty network, with any Redis client.
 */
public abstract class ConnectionContract {

    private static final Duration TTL = Duration.ofMinutes(10);
    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, LockOptions.MAX_LEASE), false, PatientOptions.CLIENT.connectTimeout());
    private static final SecureRandom RANDOM = new SecureRandom();

    /** A silent server is not replaced while the test fills its queue, however long that takes. */
    private final ScaledTime silence = ScaledTime.slow(100);

    private final SystemTime time = new SystemTime();
    private final RedisServer server = RedisServer.start();
    private final FaultProxy network = FaultProxy.to(server.uri());
    private final List<LockNode> nodes = new ArrayList<>();

    @AfterEach
    void close() {
        nodes.forEach(LockNode::close);
        network.close();
        server.close();
        silence.close();
        time.close();
    }

    @Test
    void ask_replyIsLostWithTheConnection_isUnknown() {
        LockNode node = connect(network.uri());
        acquire(node, "loads the script").join();
        network.hold(Direction.REPLIES);
        CompletableFuture<Reply> reply = acquire(node, "a");
        eventually("the claim has arrived", () -> server.exec("GET", "a") != null);

        network.drop(ConnectionEnd.RESET);

        assertThat(reply.join())
                .isInstanceOfSatisfying(
                        Reply.Failed.class,
                        failed -> assertThat(failed.mayBeCarriedOut()).isTrue());
    }

    /** A client that retried such a command could be rejected because of its own key. */
    @Test
    void ask_requestIsLostWithTheConnection_isNotSentAgain() {
        LockNode node = connect(network.uri());
        network.hold(Direction.REQUESTS);
        CompletableFuture<Reply> lost = acquire(node, "lost");
        eventually("the claim has been sent", () -> network.waitingBytes() > 0);
        network.drop(ConnectionEnd.RESET);
        network.pass();
        assertThat(lost.join()).isInstanceOf(Reply.Failed.class);

        eventually("the node votes again", () -> acquire(node, "next").join().equals(Reply.GRANTED));

        assertThat(server.exec("GET", "lost")).isNull();
    }

    @Test
    @SuppressWarnings("NullAway")
    void connect_credentialsSourceReturnsNull_reportsTheCause() {
        HoldfastOptions options =
                PatientOptions.CLIENT.toBuilder().credentials(() -> null).build();
        try (Holdfast client = Holdfast.connect(List.of(server.uri().toString()), options)) {
            eventually(
                    "the cause is known",
                    () -> client.nodes()
                            .get(0)
                            .cause()
                            .contains("the credentials source returned null; return a user and a password"));
        }
    }

    @Test
    void keepListed_nameIsAboutToBeForgotten_keepsItForHalfAnHour() {
        LockNode node = connect(server.uri());
        String fence = Keys.of("long").fence();
        acquire(node, "long").join();
        server.exec("PEXPIRE", fence, "60000");

        assertThat(node.admin().keepListed("long").toCompletableFuture().join()).isTrue();

        assertThat(Long.parseLong(String.valueOf(server.exec("PTTL", fence)))).isGreaterThan(60_000);
        assertThat(node.admin().keepListed("unknown").toCompletableFuture().join())
                .isFalse();
    }

    /** An administrator finds the names of locks by their fences. */
    @Test
    void ask_lockLastsLongerThanAFence_fenceLastsAsLong() {
        LockNode node = connect(server.uri());
        Duration twoHours = Duration.ofHours(2);
        FencingToken fence = new FencingToken(time.now().wallMicros());
        Claim taken = Claim.acquire("taken", new Owner("owner"), twoHours, fence);
        Claim shared =
                Claim.acquire("shared", new Owner("owner"), twoHours, fence).withMode(LockMode.SHARED);
        Claim retained = Claim.acquire("retained", new Owner("owner"), Duration.ofSeconds(10), fence);

        result(node.ask(taken));
        result(node.ask(
                Claim.acquire("taken", new Owner("loser"), TTL, fence.plus(2)).withdraw()));
        result(node.ask(shared));
        result(node.ask(
                Claim.acquire("shared", new Owner("other"), TTL, fence.plus(2)).withMode(LockMode.SHARED)));
        result(node.ask(retained));
        result(node.ask(retained.retain(twoHours)));

        for (String lock : List.of("taken", "shared", "retained")) {
            String left = String.valueOf(server.exec("PTTL", Keys.of(lock).fence()));
            assertThat(Duration.ofMillis(Long.parseLong(left))).as(lock).isGreaterThan(Duration.ofMinutes(90));
        }
    }

    /** Such a node stores fences for a day, and nothing else makes the next token greater. */
    @Test
    void keepListed_nodeWithoutScripts_doesNotShortenTheFence() {
        LockNode node = connect(URI.create(server.uri() + "?locks=transactions"));
        acquire(node, "long").join();

        node.admin().keepListed("long").toCompletableFuture().join();

        String left = String.valueOf(server.exec("PTTL", Keys.of("long").fence()));
        assertThat(Duration.ofMillis(Long.parseLong(left))).isGreaterThan(Duration.ofHours(23));
    }

    /**
     * A source may ask a vault that hangs. The thread of the timers reports losses, and those of the client receive
     * replies.
     */
    @Test
    void connect_credentialsSource_isReadOnAThreadThatMayBlock() {
        List<String> threads = new CopyOnWriteArrayList<>();
        HoldfastOptions options = PatientOptions.CLIENT.toBuilder()
                .credentials(() -> {
                    threads.add(Thread.currentThread().getName());
                    return new Credentials("default", "");
                })
                .build();
        try (Holdfast client = Holdfast.connect(List.of(server.uri().toString()), options)) {
            eventually("the node votes", () -> client.nodes().get(0).votes());
            int connected = threads.size();

            server.exec("CLIENT", "KILL", "TYPE", "normal");

            eventually("the client connects again", () -> threads.size() > connected);
            assertThat(threads).allMatch(name -> name.startsWith("holdfast-callback"));
        }
    }

    @Test
    void ask_serverIsDown_isNotSentAndReportsTheCause() {
        LockNode node = connect(network.uri());
        network.refuse();
        network.drop(ConnectionEnd.CLOSE);

        eventually("the refusal is known", () -> {
            Reply reply = acquire(node, "a").join();
            return reply instanceof Reply.Failed failed
                    && !failed.mayBeCarriedOut()
                    && failed.cause().contains("connection refused");
        });
    }

    @Test
    void ask_serverDownAtConnect_votesOnceItIsUp() {
        network.refuse();
        LockNode node = connect(network.uri());
        assertThat(acquire(node, "a").join()).isInstanceOf(Reply.Failed.class);

        network.pass();

        eventually("the node votes", () -> acquire(node, "a").join().equals(Reply.GRANTED));
    }

    @Test
    void ask_scriptsFlushed_isGranted() {
        LockNode node = connect(server.uri());
        assertThat(acquire(node, "a").join()).isEqualTo(Reply.GRANTED);

        server.exec("SCRIPT", "FLUSH");

        assertThat(acquire(node, "b").join()).isEqualTo(Reply.GRANTED);
    }

    @Test
    void ask_serverRestartedEmpty_isGranted() {
        LockNode node = connect(server.uri());
        assertThat(acquire(node, "a").join()).isEqualTo(Reply.GRANTED);

        server.restartEmpty();

        eventually("the node votes again", () -> acquire(node, "b").join().equals(Reply.GRANTED));
    }

    /** A release follows its claim on the same connection, so a server that thaws processes both in this order. */
    @Test
    void ask_serverThaws_processesClaimBeforeItsRelease() {
        LockNode node = connect(server.uri());
        server.freeze();
        Claim claim = claim("a");
        CompletableFuture<Reply> acquired = ask(node, claim);
        CompletableFuture<Reply> released = ask(node, claim.release());
        server.thaw();

        assertThat(acquired.join()).isEqualTo(Reply.GRANTED);
        assertThat(released.join()).isEqualTo(Reply.GRANTED);
        assertThat(server.exec("GET", "a")).isNull();
    }

    /** As with a client that reconnects after a timeout: the release arrives long before the claim. */
    @Test
    void ask_releaseArrivesBeforeItsClaim_claimIsStale() {
        LockNode slow = connect(network.uri());
        LockNode quick = connect(server.uri());
        acquire(slow, "loads the script").join();
        network.hold(Direction.REQUESTS);
        Claim claim = claim("a");
        CompletableFuture<Reply> late = ask(slow, claim);
        eventually("the claim has been sent", () -> network.waitingBytes() > 0);
        assertThat(ask(quick, claim.release()).join()).isInstanceOf(Reply.Refused.class);

        network.pass();

        assertThat(late.join()).isInstanceOf(Reply.Stale.class);
        assertThat(server.exec("GET", "a")).isNull();
    }

    @Test
    void ask_serverDoesNotReply_failsAndReplacesTheConnection() {
        try (ScaledTime fast = ScaledTime.fast(20)) {
            LockNode node = connect(network.uri(), fast);
            eventually("the node votes", () -> acquire(node, "first").join().equals(Reply.GRANTED));
            network.hold();
            CompletableFuture<Reply> reply = acquire(node, "a");

            assertThat(reply.join())
                    .isInstanceOfSatisfying(
                            Reply.Failed.class,
                            failed -> assertThat(failed.mayBeCarriedOut()).isTrue());
            network.pass();
            eventually("the node votes again", () -> acquire(node, "b").join().equals(Reply.GRANTED));
            node.close();
        }
    }

    @Test
    void ask_tooManyBeforeTheHandshake_isNotSent() {
        LockNode node = connect(server.uri(), silence);
        server.freeze();
        for (int i = 0; i < 10_000; i++) {
            acquire(node, "a");
        }

        assertThat(acquire(node, "b").join())
                .isInstanceOfSatisfying(
                        Reply.Failed.class, failed -> assertThat(failed.cause()).contains("to say what it is"));
        server.thaw();
    }

    @Test
    void close_claimsPending_failsThem() {
        LockNode node = connect(network.uri());
        network.hold();
        CompletableFuture<Reply> reply = acquire(node, "a");

        node.close();
        node.close();

        assertThat(reply.join()).isInstanceOf(Reply.Failed.class);
        assertThat(acquire(node, "b").join()).isInstanceOf(Reply.Failed.class);
    }

    @Test
    void ask_wrongPassword_isReportedWithoutThePassword() {
        try (RedisServer locked = RedisServer.start(RedisServerOptions.DEFAULT.withPassword("right"))) {
            LockNode wrong = connect(URI.create("redis://:wr0ng@127.0.0.1:" + locked.port()));
            LockNode none = connect(URI.create("redis://127.0.0.1:" + locked.port()));

            eventually(
                    "the reason is reported",
                    () -> acquire(wrong, "a").join().toString().contains("or the password is wrong"));
            assertThat(acquire(wrong, "a").join().toString())
                    .contains("password")
                    .doesNotContain("wr0ng");
            eventually(
                    "the reason is reported",
                    () -> acquire(none, "a").join().toString().contains("the server requires a password"));
            assertThat(wrong.name()).isEqualTo("redis://127.0.0.1:" + locked.port());
        }
    }

    @Test
    void ask_userWithTheRequiredRights_isGranted() {
        String user =
                "ACL SETUSER locker on >p%w resetkeys ~locks:* ~{locks:* ~holdfast:* resetchannels &holdfast:inbox:* "
                        + "-@all ";
        server.exec((user + RequiredAcl.text()).split(" "));
        LockNode node = connect(URI.create("redis://locker:p%25w@127.0.0.1:" + server.port()));
        Claim claim = claim("locks:a");

        assertThat(ask(node, claim).join()).isEqualTo(Reply.GRANTED);
        assertThat(ask(node, claim.extend(TTL.multipliedBy(2))).join()).isEqualTo(Reply.GRANTED);
        Queue<WakeUp> wakeUps = new ConcurrentLinkedQueue<>();
        node.listen("inbox", wakeUps::add);
        FencingToken above = claim.greatestFence().nextEven();
        Claim waiting = Claim.acquire("locks:a", Owner.fresh(RANDOM), TTL, above)
                .withTicket(new WaitTicket("inbox", 1, false, LockMode.EXCLUSIVE));
        // The claim stands for half a second, so the release follows it at once.
        CompletableFuture<Reply> refusal = ask(node, waiting);
        CompletableFuture<Reply> release = ask(node, claim.release());
        assertThat(refusal.join()).isInstanceOf(Reply.Refused.class);
        assertThat(release.join()).isEqualTo(Reply.GRANTED);
        eventually("the claim of the waiter is carried out", () -> wakeUps.contains(WakeUp.granted(waiting)));
        Claim shared = claim("locks:b")
                .withMode(LockMode.SHARED)
                .withTicket(new WaitTicket("inbox", 1, false, LockMode.SHARED));
        assertThat(ask(node, shared).join()).isEqualTo(Reply.GRANTED);
        assertThat(ask(node, shared.extend(TTL)).join()).isEqualTo(Reply.GRANTED);
        Claim exclusive = claim("locks:b").withTicket(new WaitTicket("inbox", 1, false, LockMode.EXCLUSIVE));
        assertThat(ask(node, exclusive).join()).isInstanceOf(Reply.Refused.class);
        assertThat(ask(node, claim("locks:b").withMode(LockMode.SHARED)).join()).isInstanceOf(Reply.Refused.class);
        assertThat(ask(node, shared.release()).join()).isEqualTo(Reply.GRANTED);
        assertThat(acquire(node, "other").join().toString())
                .contains("NOPERM", "may not use the keys; grant it ~other ~{other}:holdfast:* ~holdfast:*");
    }

    /** Without these rights, a restarted server would never vote again. */
    @Test
    void probe_userWithTheRequiredRights_endsTheQuarantine() {
        String user = "ACL SETUSER prober on >pw resetkeys ~holdfast:* resetchannels &holdfast:inbox:* -@all ";
        server.exec((user + RequiredAcl.text()).split(" "));
        server.exec("DEL", "holdfast:marker");
        QuorumConfig config = new QuorumConfig(3, TTL);
        NodeSettings guarded = new NodeSettings(config, true, PatientOptions.CLIENT.connectTimeout());
        LockNode node = connect(URI.create("redis://prober:pw@127.0.0.1:" + server.port()), guarded, time);

        assertThat(probe(node, QuarantineProbe.readOnly("a", config))).isInstanceOf(NodeStanding.Quarantined.class);
        assertThat(probe(node, QuarantineProbe.admission("a", FencingToken.NONE, config)))
                .isInstanceOf(NodeStanding.Admitted.class);
    }

    /** Otherwise an administrator who examines a server would bind it to the configuration of his own client. */
    @Test
    void probe_glance_changesNothing() {
        server.exec("DEL", "holdfast:marker");
        QuorumConfig config = new QuorumConfig(3, TTL);
        QuarantineProbe reading = QuarantineProbe.readOnly("a", config);
        NodeSettings guarded = new NodeSettings(config, true, PatientOptions.CLIENT.connectTimeout());
        LockNode node = connect(server.uri(), guarded, time);

        assertThat(probe(node, reading)).isInstanceOf(NodeStanding.Quarantined.class);
        assertThat(server.exec("EXISTS", "holdfast:marker").toString()).isEqualTo("0");

        probe(node, QuarantineProbe.admission("a", FencingToken.NONE, config));
        server.exec("HDEL", "holdfast:marker", "config");
        String marker = server.exec("HGETALL", "holdfast:marker").toString();
        assertThat(probe(node, reading)).isInstanceOf(NodeStanding.Admitted.class);
        assertThat(server.exec("HGETALL", "holdfast:marker").toString()).isEqualTo(marker);
    }

    private static NodeStanding probe(LockNode node, QuarantineProbe probe) {
        return node.probe(probe).toCompletableFuture().join();
    }

    /** A RESP2 connection carries no notifications, so the waiters poll. */
    @Test
    void ask_onlyResp2IsSupported_isGrantedWithoutNotifications() {
        try (RedisServer old = RedisServer.start(RedisServerOptions.DEFAULT.withConfig("rename-command HELLO \"\""))) {
            assertGrantsWithoutNotifications(connect(old.uri()));
        }
    }

    /** A connection outlives the password that it was made with; a new connection needs the new password. */
    @Test
    void ask_passwordIsRotated_openConnectionsContinueAndNewOnesUseTheNewPassword() {
        server.exec("ACL SETUSER rotating on >old ~* &* +@all".split(" "));
        LockNode before = connect(URI.create("redis://rotating:old@127.0.0.1:" + server.port()));
        Claim held = claim("a");
        assertThat(ask(before, held).join()).isEqualTo(Reply.GRANTED);

        server.exec("ACL SETUSER rotating >new <old".split(" "));

        assertThat(ask(before, held.extend(TTL.multipliedBy(2))).join()).isEqualTo(Reply.GRANTED);
        LockNode after = connect(URI.create("redis://rotating:new@127.0.0.1:" + server.port()));
        assertThat(ask(after, claim("a")).join()).isInstanceOf(Reply.Refused.class);
        server.exec("CLIENT", "KILL", "USER", "rotating");
        eventually(
                "the old client reports the wrong password",
                () -> acquire(before, "b").join().toString().contains("WRONGPASS"));
        eventually(
                "the node votes for the new client",
                () -> acquire(after, "c").join().equals(Reply.GRANTED));
        server.exec("ACL SETUSER rotating >old".split(" "));
        eventually(
                "the node votes for the old client again",
                () -> acquire(before, "d").join().equals(Reply.GRANTED));
    }

    /** Such a user can acquire and release locks, but its waiters have to poll. */
    @Test
    void ask_userMayNotSubscribe_isGrantedWithoutNotifications() {
        server.exec(
                "ACL", "SETUSER", "mute", "on", ">pw", "~*", "resetchannels", "+@all", "-zadd", "-zrem", "-subscribe");
        assertGrantsWithoutNotifications(connect(URI.create("redis://mute:pw@127.0.0.1:" + server.port())));
    }

    private static void assertGrantsWithoutNotifications(LockNode node) {
        node.listen("inbox", wake -> {});
        Claim claim = claim("a");
        assertThat(ask(node, claim).join()).isEqualTo(Reply.GRANTED);
        Claim waiting = claim("a").withTicket(new WaitTicket("inbox", 1, false, LockMode.EXCLUSIVE));
        assertThat(ask(node, waiting).join()).isInstanceOf(Reply.Refused.class);

        eventually("the node reports that it cannot notify", () -> !node.canNotify());
        assertThat(ask(node, claim.release()).join()).isEqualTo(Reply.GRANTED);
    }

    @Test
    void ask_manyThreads_repliesToEachSeparately() {
        LockNode node = connect(server.uri());
        AtomicLong fences = new AtomicLong(System.currentTimeMillis() * 1_000);
        List<CompletableFuture<Void>> threads = IntStream.range(0, 16)
                .mapToObj(i -> CompletableFuture.runAsync(() -> cycle(node, "own-" + i, fences)))
                .toList();

        threads.forEach(CompletableFuture::join);
    }

    private static void cycle(LockNode node, String resource, AtomicLong fences) {
        for (int i = 0; i < 50; i++) {
            Claim claim = Claim.acquire(resource, Owner.fresh(RANDOM), TTL, new FencingToken(fences.addAndGet(2)));
            assertThat(ask(node, claim).join()).isEqualTo(Reply.GRANTED);
            assertThat(acquire(node, resource).join()).isInstanceOf(Reply.Refused.class);
            assertThat(ask(node, claim.release()).join()).isEqualTo(Reply.GRANTED);
        }
    }

    @Test
    void ask_keyOfAnotherType_namesTheRemedy() {
        server.exec("HSET", "a", "field", "value");

        assertThat(acquire(connect(server.uri()), "a").join().toString()).contains("WRONGTYPE", "another one");
    }

    @Test
    void inspect_keyOfAnotherType_failsAsAnAcquireDoes() {
        LockNode node = connect(server.uri());
        server.exec("RPUSH", "a", "value");

        assertThatThrownBy(() -> node.admin().inspect("a").toCompletableFuture().join())
                .hasMessageContainingAll("WRONGTYPE", "another one");
    }

    @Test
    void ask_keyWithoutTimeToLive_isRefusedIndefinitely() {
        server.exec("SET", "a", "another owner");

        assertThat(acquire(connect(server.uri()), "a").join())
                .isInstanceOfSatisfying(
                        Reply.Refused.class,
                        refused -> assertThat(refused.timeLeft()).isEqualTo(Reply.Refused.ENDLESS));
    }

    @Test
    void ask_serverOutOfMemory_reportsItAndStillReleases() {
        LockNode node = connect(server.uri());
        Claim held = claim("held");
        Claim kept = claim("kept");
        Claim shared = claim("shared").withMode(LockMode.SHARED);
        List.of(held, kept, shared)
                .forEach(one -> assertThat(ask(node, one).join()).isEqualTo(Reply.GRANTED));
        server.exec("CONFIG", "SET", "maxmemory", "1");

        assertThat(acquire(node, "a").join().toString()).contains("OOM", "maxmemory");
        assertThat(server.exec("GET", "a")).isNull();
        assertThat(ask(node, held.extend(TTL)).join()).isEqualTo(Reply.GRANTED);
        assertThat(ask(node, held.release()).join()).isEqualTo(Reply.GRANTED);
        assertThat(ask(node, kept.retain(TTL)).join()).isEqualTo(Reply.GRANTED);
        assertThat(ask(node, shared.retain(TTL)).join()).isEqualTo(Reply.GRANTED);
        assertThat(server.exec("GET", "kept")).isEqualTo(kept.owner().token() + Owner.RETAINED);
    }

    @Test
    void ask_replica_isRejectedUntilItIsPromoted() {
        try (RedisServer replica = RedisServer.start()) {
            replica.exec("REPLICAOF", "127.0.0.1", Integer.toString(server.port()));

            LockNode node = connect(replica.uri());
            assertThat(acquire(node, "a").join().toString()).contains("replica", "its master");

            replica.exec("REPLICAOF", "NO", "ONE");
            assertThat(acquire(node, "a").join()).isEqualTo(Reply.GRANTED);
        }
    }

    private LockNode connect(URI uri) {
        return connect(uri, time);
    }

    private LockNode connect(URI uri, Time with) {
        return connect(uri, SETTINGS, with);
    }

    private LockNode connect(URI uri, NodeSettings settings, Time with) {
        LockNode node = ClientUnderTest.connect(uri, settings, with);
        nodes.add(node);
        return node;
    }

    private static CompletableFuture<Reply> acquire(LockNode node, String resource) {
        return ask(node, claim(resource));
    }

    private static Claim claim(String resource) {
        return Claim.acquire(resource, Owner.fresh(RANDOM), TTL, new FencingToken(1_000_000 + RANDOM.nextInt(1_000)));
    }

    private static CompletableFuture<Reply> ask(LockNode node, Claim claim) {
        return node.ask(claim).toCompletableFuture();
    }
}
