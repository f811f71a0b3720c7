package io.holdfast.lettuce;

import static io.holdfast.servers.Eventually.result;
import static io.holdfast.testkit.fault.Standby.follow;
import static io.holdfast.testkit.fault.Standby.promote;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.binary.RedisBinary;
import io.holdfast.testkit.ScaledTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A free lock takes few commands of the server, and the summary of the marker, which makes that possible, grants
 * nothing that the marker would not.
 */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@MethodSource("servers")
class FastPathTest {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final QuorumConfig CONFIG = new QuorumConfig(3, Duration.ofMinutes(1));
    private static final String MARKER = "holdfast:marker";
    private static final Pattern CALLS = Pattern.compile("cmdstat_([a-z]+):calls=(\\d+)");

    /** Half an hour ago in microseconds: not ahead of any server. */
    private static final long BASE = System.currentTimeMillis() * 1_000 - 1_800_000_000L;

    /** So that no periodic INFO of the client is counted. */
    @AutoClose
    private final ScaledTime time = ScaledTime.slow(1_000);

    private final RedisBinary binary;

    @AutoClose
    private final RedisServer server;

    @AutoClose
    private final LockNode node;

    private long fence = BASE;

    FastPathTest(RedisBinary binary) {
        this.binary = binary;
        this.server = start();
        this.node = connect(CONFIG, true);
    }

    static List<RedisBinary> servers() {
        return RedisBinary.all();
    }

    @Test
    void ask_freeLockWithoutWaiters_takesFiveAndThreeCommands() {
        useFastPath();

        Claim claim = claim();
        assertThat(commands(node, claim)).isEqualTo(Map.of("mget", 1, "hget", 1, "info", 1, "set", 2));
        assertThat(commands(node, claim.release())).isEqualTo(Map.of("mget", 1, "del", 1, "pttl", 1));
    }

    @Test
    void ask_freeLockOnDurableNode_readsNoInfo() {
        try (LockNode durable = connect(CONFIG, false)) {
            cycle(durable);
            cycle(durable);

            assertThat(commands(durable, claim())).isEqualTo(Map.of("mget", 1, "hget", 1, "set", 2));
        }
    }

    @Test
    void ask_fastPath_storesFenceAsLongAsOtherwise() {
        useFastPath();
        server.exec("PEXPIRE", "{a}:holdfast:fence", "600000");

        Claim claim = claim().withFollowers(3);
        assertThat(ask(node, claim)).isEqualTo(Reply.GRANTED);

        assertThat(server.exec("GET", "{a}:holdfast:fence"))
                .isEqualTo(claim.greatestFence().toString());
        assertThat((Long) server.exec("PTTL", "{a}:holdfast:fence"))
                .isBetween(
                        Duration.ofMinutes(29).toMillis(),
                        Duration.ofMinutes(30).toMillis());
    }

    /** The greatest fence of an attempt counts, not its first one: no accepted fence is above gmax. */
    @Test
    void ask_followersAboveGmax_raisesGmax() {
        useFastPath();
        Claim claim = claim().withFollowers(10_000);

        assertThat(ask(node, claim)).isEqualTo(Reply.GRANTED);

        assertThat(marker("gmax")).isGreaterThanOrEqualTo(claim.greatestFence().toString());
    }

    /**
     * The run id, the marker and its summary are those of before; only the history of the server shows the failover.
     */
    @Test
    void ask_serverFailedOverAndBack_isQuarantined() {
        try (RedisServer standby = start()) {
            useFastPath();
            follow(standby, server);
            promote(standby);
            assertThat(ask(node, claim())).isEqualTo(Reply.GRANTED);
            node.close();
            follow(server, standby);
            promote(server);

            assertThat(server.exec("GET", "a")).as("a forgotten lock").isNull();
            assertThat(marker("summary")).isNotNull();
            try (LockNode next = connect(CONFIG, true)) {
                // A batch has a fast path of its own.
                assertThat(next.askAll(List.of(claim(), claim("b"))).stream().map(Eventually::result))
                        .hasOnlyElementsOfType(Reply.Quarantined.class);
                assertThat(ask(next, claim())).isInstanceOf(Reply.Quarantined.class);
            }
        }
    }

    @Test
    void ask_markerDeleted_isQuarantined() {
        useFastPath();

        server.exec("DEL", MARKER);

        assertThat(ask(node, claim())).isInstanceOf(Reply.Quarantined.class);
    }

    @Test
    void ask_otherConfiguration_isRejected() {
        try (LockNode other = connect(new QuorumConfig(5, CONFIG.maxLease()), true)) {
            useFastPath();

            assertThat(ask(other, claim()).toString()).contains("it belongs to a set of 3 nodes");

            admit(other, new QuorumConfig(5, CONFIG.maxLease()));
            assertThat(ask(node, claim()).toString()).contains("it belongs to a set of 5 nodes");
        }
    }

    @Test
    void ask_closed_isRejectedUnlessTheClientHasBothSets() {
        QuorumConfig both = CONFIG.beside(new QuorumConfig(1, CONFIG.maxLease()));
        try (LockNode ofBoth = connect(both, true)) {
            useFastPath();

            agree(both, FencingToken.NONE);

            assertThat(ask(node, claim()).toString())
                    .contains("it accepts only clients that also have the set of 1 node");
            cycle(ofBoth);
            cycle(ofBoth);
            assertThat(ask(node, claim()).toString())
                    .contains("it accepts only clients that also have the set of 1 node");

            FencingToken floor = new FencingToken(fence + 100);
            agree(CONFIG, floor);
            assertThat(ask(node, claim())).isEqualTo(new Reply.Stale(floor));
        }
    }

    private void agree(QuorumConfig next, FencingToken floor) {
        String mark = result(node.admin().agreement()).mark();
        NodeAdmin.Agreement agreement = new NodeAdmin.Agreement(next, next.toString(), floor);
        assertThat(result(node.admin().agree(mark, agreement)).config()).isEqualTo(next);
    }

    /** A node whose marker was written before there were summaries votes at once, and gets one. */
    @Test
    void ask_markerOfAnOlderVersion_votesAndAddsTheSummary() {
        useFastPath();
        server.exec("HDEL", MARKER, "summary");

        cycle(node);

        assertThat(marker("summary")).isNotNull();
    }

    /**
     * The node began a quarantine, was admitted with a floor, and its fence key is older than what it has forgotten.
     */
    @Test
    void ask_floorOfAnAdmissionAboveTheFence_isStale() {
        useFastPath();
        server.exec("HSET", MARKER, "admitted", "0");

        FencingToken floor = new FencingToken(fence + 100);
        QuarantineProbe admission = QuarantineProbe.admission("admin", floor, CONFIG);
        assertThat(join(node, admission)).isInstanceOf(NodeStanding.Admitted.class);

        assertThat(ask(node, claim())).isEqualTo(new Reply.Stale(floor));
    }

    /** The second claim finds no fence and so raises the floor, above which the third one has to be. */
    @Test
    void askAll_claimStartsAPeriod_nextOneIsStale() {
        Claim other = claim("c");
        useFastPath();
        assertThat(ask(node, other)).isInstanceOf(Reply.Granted.class);
        assertThat(ask(node, other.release())).isInstanceOf(Reply.Granted.class);
        server.exec("HSET", MARKER, "period_start", "1");

        List<Reply> replies = node.askAll(List.of(claim("a"), claim("b"), claim("c"))).stream()
                .map(Eventually::result)
                .toList();

        Reply stale = new Reply.Stale(new FencingToken(Long.parseLong(String.valueOf(marker("gmax")))));
        assertThat(replies).containsExactly(Reply.GRANTED, stale, stale);
    }

    @Test
    void ask_anotherTypeOfKey_failsAndLeavesIt() {
        useFastPath();
        server.exec("HSET", "a", "field", "value");

        assertThat(ask(node, claim()).toString()).contains("holds something other than a lock");

        assertThat(server.exec("HGET", "a", "field")).isEqualTo("value");
    }

    private void useFastPath() {
        admit(node, CONFIG);
        // The first claim raises gmax, and the second one stores it in the summary.
        cycle(node);
        cycle(node);
        assertThat(marker("summary")).isNotNull();
    }

    private void admit(LockNode node, QuorumConfig config) {
        assertThat(join(node, QuarantineProbe.admission("admin", new FencingToken(BASE - 1), config)))
                .isInstanceOf(NodeStanding.Admitted.class);
    }

    private void cycle(LockNode node) {
        Claim claim = claim();
        assertThat(ask(node, claim)).isEqualTo(Reply.GRANTED);
        assertThat(ask(node, claim.release())).isEqualTo(Reply.GRANTED);
    }

    private Claim claim() {
        return claim("a");
    }

    private Claim claim(String resource) {
        fence += 2;
        return Claim.acquire(resource, new Owner("owner-" + fence), TTL, new FencingToken(fence));
    }

    /** Returns how often the script of the claim calls each command. */
    private Map<String, Integer> commands(LockNode on, Claim claim) {
        server.exec("CONFIG", "RESETSTAT");
        assertThat(ask(on, claim)).isEqualTo(Reply.GRANTED);
        Map<String, Integer> calls = new TreeMap<>();
        CALLS.matcher(Objects.toString(server.exec("INFO", "commandstats")))
                .results()
                .filter(call -> !List.of("config", "evalsha").contains(call.group(1)))
                .forEach(call -> calls.put(call.group(1), Integer.valueOf(call.group(2))));
        return calls;
    }

    private @Nullable String marker(String field) {
        return (String) server.exec("HGET", MARKER, field);
    }

    private RedisServer start() {
        return RedisServer.start(
                RedisServerOptions.DEFAULT.withBinary(binary).withConfig("repl-diskless-sync-delay 0"));
    }

    private LockNode connect(QuorumConfig config, boolean guarded) {
        NodeSettings settings = new NodeSettings(config, guarded, PatientOptions.CLIENT.connectTimeout());
        return OneWriteNode.on(server, settings, time);
    }

    private static Reply ask(LockNode node, Claim claim) {
        return result(node.ask(claim));
    }

    private static NodeStanding join(LockNode node, QuarantineProbe probe) {
        return result(node.probe(probe));
    }
}
