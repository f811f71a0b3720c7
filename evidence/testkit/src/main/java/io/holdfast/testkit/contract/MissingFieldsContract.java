package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.Diagnosis;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.servers.ClusterServers;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.RedisServers;
import io.holdfast.servers.SentinelServer;
import io.holdfast.testkit.ScaledTime;
import io.holdfast.testkit.hostile.RewritingProxy;
import io.holdfast.testkit.hostile.ServerReply;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A contract for any Redis client on real servers whose description of themselves lacks something, as that of other
 * products, of proxies and of managed services does: what is missing is unknown, so the server has no vote, and the
 * message contains the remedy.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class MissingFieldsContract {

    private static final Duration TTL = Duration.ofSeconds(20);
    private static final SystemTime REAL = new SystemTime();
    private static final ScaledTime FAST = ScaledTime.fast(20);
    private static final String REMEDY = "give a Redis or Valkey server itself";
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final AtomicLong FENCE = new AtomicLong(1_000_000);

    private final RedisServer server = RedisServer.start(RedisServerOptions.DEFAULT.withConfig("maxmemory 100mb"));
    private final RedisServer evicting = RedisServer.start(
            RedisServerOptions.DEFAULT.withConfig("maxmemory 100mb").withConfig("maxmemory-policy allkeys-lru"));

    @AfterAll
    void stop() {
        server.close();
        evicting.close();
    }

    /** The ways in which a field differs from what it should be. */
    enum Defect {
        MISSING,
        EMPTY,
        GARBLED,
        ZEROS;

        /** Returns the text of {@code INFO} with this defect in one field. */
        String in(String info, String field) {
            return info.lines()
                    .filter(line -> this != MISSING || !line.startsWith(field + ":"))
                    .map(line -> line.startsWith(field + ":") ? field + ":" + value() : line)
                    .collect(Collectors.joining("\r\n"));
        }

        private String value() {
            return switch (this) {
                case MISSING, EMPTY -> "";
                case GARBLED -> "?1";
                case ZEROS -> "0".repeat(40);
            };
        }
    }

    static Stream<Arguments> decisiveFields() {
        return Stream.of("run_id", "master_replid2", "role", "maxmemory_policy", "maxmemory", "cluster_enabled")
                .flatMap(field -> Stream.of(Defect.values())
                        // A server that was never promoted states a history of zeros, and one without a limit a 0.
                        .filter(defect -> defect != Defect.ZEROS || !field.startsWith("ma"))
                        .map(defect -> Arguments.of(field, defect)));
    }

    @ParameterizedTest
    @MethodSource("decisiveFields")
    void ask_fieldOfInfoHasADefect_isRejectedWithTheRemedy(String field, Defect defect) {
        RedisServer real = field.equals("maxmemory") ? evicting : server;
        try (RewritingProxy proxy = withInfo(real, info -> defect.in(info, field))) {
            String reply = finalReply(proxy.uri(), settings(3, true)).toString();

            assertThat(reply).contains(field.startsWith("maxmemory") ? "maxmemory" : field);
            assertThat(reply).containsAnyOf(REMEDY, "set maxmemory-policy noeviction");
            assertThat(Objects.toString(examine(proxy.uri(), FAST).findings()))
                    .contains("ERROR")
                    .contains(field.startsWith("maxmemory") ? "maxmemory" : field);
        }
    }

    /** Two of three servers could restart empty, and would vote as if they were durable. */
    @Test
    void acquire_serversDoNotStateTheirRunId_isRefusedWithTheRemedy() {
        try (RedisServers servers = RedisServers.start(3)) {
            List<RewritingProxy> proxies = IntStream.range(0, servers.count())
                    .mapToObj(i -> withInfo(servers.get(i), info -> Defect.MISSING.in(info, "run_id")))
                    .toList();
            try (Holdfast client = Holdfast.connect(
                    proxies.stream().map(proxy -> proxy.uri().toString()).toList())) {
                assertThatThrownBy(() -> client.lock("a").tryAcquire())
                        .isInstanceOf(QuorumUnreachableException.class)
                        .hasMessageContainingAll("its INFO has no valid run_id", REMEDY);
                assertThat(client.nodes()).noneMatch(status -> status.votes());
            } finally {
                proxies.forEach(RewritingProxy::close);
            }
        }
    }

    /** Without a quarantine, the run id shows only that two nodes are not the same server. */
    @Test
    void ask_durableNodeWithoutRunId_votesOnlyIfItIsTheOnlyOne() {
        try (RewritingProxy proxy = withInfo(server, info -> Defect.MISSING.in(info, "run_id"))) {
            assertThat(finalReply(proxy.uri(), settings(1, false))).isEqualTo(Reply.GRANTED);
            assertThat(finalReply(proxy.uri(), settings(3, false)).toString())
                    .contains("run_id", "the same server as another node", REMEDY);
        }
    }

    @Test
    void ask_infoHasTheDecisiveFieldsOnly_votes() {
        List<String> decisive = decisiveFields()
                .map(arguments -> arguments.get()[0] + ":")
                .distinct()
                .toList();
        try (RewritingProxy proxy = withInfo(
                server,
                info -> info.lines()
                        .filter(line -> decisive.stream().anyMatch(line::startsWith))
                        .collect(Collectors.joining("\r\n")))) {
            assertThat(finalReply(proxy.uri(), settings(3, true))).isEqualTo(Reply.GRANTED);

            // The clocks are compared over a real second, since the pauses of a busy machine are noise.
            Diagnosis diagnosis = examine(proxy.uri(), REAL);

            assertThat(diagnosis.facts()).doesNotContainKeys("version", "uptimeSeconds", "replicas", "appendOnlyFile");
            assertThat(diagnosis.findings().toString())
                    .contains("does not say how much memory is free")
                    .doesNotContain("ERROR");
        }
    }

    static Stream<ServerReply> repliesThatSayNothing() {
        return Stream.of(
                ServerReply.NULL,
                ServerReply.text(""),
                ServerReply.text("# Server"),
                new ServerReply(':', "1", List.of()),
                new ServerReply('*', "", List.of(ServerReply.text("role:master"))),
                new ServerReply('-', "NOPERM this user has no permissions to run the 'info' command", List.of()));
    }

    @ParameterizedTest
    @MethodSource("repliesThatSayNothing")
    void ask_replyToInfoSaysNothing_isRejectedWithTheRemedy(ServerReply info) {
        for (boolean guarded : new boolean[] {false, true}) {
            try (RewritingProxy proxy = RewritingProxy.to(server.uri(), "INFO", reply -> info)) {
                assertThat(finalReply(proxy.uri(), settings(3, guarded)).toString())
                        .contains("INFO")
                        .containsAnyOf(REMEDY, "grant +info");
            }
        }
    }

    /** The client reads this reply, so the node votes, or says in words why there is no connection. */
    @Test
    void ask_fieldOfHelloHasADefect_votesOrSaysWhy() {
        ServerReply hello = sample(server, "HELLO", settings(1, false));
        List<UnaryOperator<ServerReply>> changes = changes(hello, path -> true);
        assertThat(changes).hasSizeGreaterThan(20);
        for (UnaryOperator<ServerReply> change : changes) {
            try (RewritingProxy proxy = RewritingProxy.to(server.uri(), "HELLO", change)) {
                requireVoteOrReason(finalReply(proxy.uri(), settings(3, true)), change.apply(hello));
            }
        }
    }

    @Test
    @Tag("evidence")
    void ask_partOfTheSlotMapHasADefect_isGrantedByTheRightShardOrSaysWhy() {
        try (ClusterServers cluster = ClusterServers.start()) {
            ServerReply map = sample(cluster.first(), "CLUSTER", settings(1, false));
            String name = cluster.keyOfFirst();
            for (UnaryOperator<ServerReply> change : changes(map, path -> path.get(0) == 0)) {
                try (RewritingProxy proxy = RewritingProxy.to(cluster.first().uri(), "CLUSTER", change)) {
                    URI address = URI.create("redis-cluster://127.0.0.1:" + proxy.port());
                    Reply reply = finalReply(address, settings(1, false), name);

                    requireVoteOrReason(reply, change.apply(map));
                    assertThat(cluster.first().exec("GET", name) != null).isEqualTo(reply.equals(Reply.GRANTED));
                    cluster.first().exec("DEL", name);
                }
            }
        }
    }

    @Test
    void ask_addressOfASentinelHasADefect_saysWhy(@TempDir Path directory) {
        try (RedisServer replica = RedisServer.start()) {
            replica.exec("REPLICAOF", "127.0.0.1", Integer.toString(server.port()));
            try (SentinelServer sentinel = SentinelServer.over(server, directory)) {
                URI real = URI.create(sentinel.address());
                ServerReply named = new ServerReply(
                        '*', "", List.of(ServerReply.text("127.0.0.1"), ServerReply.text("" + server.port())));
                for (UnaryOperator<ServerReply> change : changes(named, path -> true)) {
                    try (RewritingProxy proxy = RewritingProxy.to(real, "SENTINEL", change)) {
                        URI address =
                                URI.create("redis-sentinel://127.0.0.1:" + proxy.port() + "#" + real.getFragment());
                        Reply reply = finalReply(address, settings(3, true));

                        requireVoteOrReason(reply, change.apply(named));
                        assertThat(reply.toString()).containsAnyOf("announce-ip", "knows none", "the master that");
                    }
                }
            }
        }
    }

    /** Returns a change for each of these parts of the reply and each defect that a part may have. */
    private static List<UnaryOperator<ServerReply>> changes(ServerReply reply, Predicate<List<Integer>> parts) {
        List<UnaryOperator<ServerReply>> changes = new ArrayList<>();
        for (List<Integer> path : reply.paths().stream().filter(parts).toList()) {
            changes.add(whole -> whole.without(path));
            Stream.of(
                            ServerReply.NULL,
                            ServerReply.text(""),
                            ServerReply.text("?1"),
                            new ServerReply(':', "99999999999", List.of()),
                            new ServerReply('*', "", List.of()))
                    .forEach(part -> changes.add(whole -> whole.with(path, part)));
        }
        return changes;
    }

    private static void requireVoteOrReason(Reply reply, ServerReply sent) {
        if (!reply.equals(Reply.GRANTED)) {
            assertThat(reply).as(sent.toString()).isInstanceOf(Reply.Failed.class);
            assertThat(reply.toString())
                    .as(sent.toString())
                    .doesNotContainPattern("(?i)exception|java|\\bnull\\b|class |cannot invoke|for input|index \\d");
        }
    }

    private static RewritingProxy withInfo(RedisServer real, UnaryOperator<String> change) {
        return RewritingProxy.to(real.uri(), "INFO", reply -> ServerReply.text(change.apply(reply.content())));
    }

    /** Returns the reply of a real server to a command of the client under test. */
    private static ServerReply sample(RedisServer real, String command, NodeSettings settings) {
        List<ServerReply> seen = new ArrayList<>();
        UnaryOperator<ServerReply> keep = reply -> {
            synchronized (seen) {
                seen.add(reply);
            }
            return reply;
        };
        try (RewritingProxy proxy = RewritingProxy.to(real.uri(), command, keep)) {
            String scheme = command.equals("CLUSTER") ? "redis-cluster" : "redis";
            finalReply(URI.create(scheme + "://127.0.0.1:" + proxy.port()), settings);
        }
        return seen.get(0);
    }

    private static NodeSettings settings(int nodes, boolean guarded) {
        return new NodeSettings(new QuorumConfig(nodes, TTL), guarded, Duration.ofSeconds(2));
    }

    private static Reply finalReply(URI address, NodeSettings settings) {
        return finalReply(address, settings, "a-" + RANDOM.nextLong());
    }

    /** Asks until the node grants the claim, or fails for another reason than that its connection is not made yet. */
    private static Reply finalReply(URI address, NodeSettings settings, String name) {
        Reply[] last = new Reply[1];
        try (LockNode node = ClientUnderTest.connect(address, settings, REAL)) {
            eventually("the node has made up its mind", () -> {
                Claim claim = Claim.acquire(name, Owner.fresh(RANDOM), TTL, new FencingToken(FENCE.incrementAndGet()));
                last[0] = node.ask(claim).toCompletableFuture().join();
                return !last[0].toString().matches(".*(no answer yet|connection has ended|not known yet).*");
            });
        }
        return last[0];
    }

    private static Diagnosis examine(URI address, Time time) {
        Diagnosis[] last = new Diagnosis[1];
        try (LockNode node = ClientUnderTest.connect(address, settings(3, true), REAL)) {
            eventually("the node is examined", () -> {
                last[0] = node.admin().examine(time).toCompletableFuture().join();
                return !last[0].findings().toString().contains("not connected");
            });
        }
        return last[0];
    }
}
