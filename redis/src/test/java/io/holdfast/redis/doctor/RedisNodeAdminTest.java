package io.holdfast.redis.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeAdmin.NamePage;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.redis.client.FakeConnection;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RequiredAcl;
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.redis.connection.HandshakeGate;
import io.holdfast.redis.keys.OwnerFingerprint;
import io.holdfast.redis.transaction.LockValueFormat;
import io.holdfast.redis.transaction.TransactionNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Servers that reply to an administrator what no healthy server does. */
class RedisNodeAdminTest {

    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, Duration.ofMinutes(1)), false, Duration.ofSeconds(2));

    private static FakeConnection server(Function<List<String>, RedisReply> replies) {
        return new FakeConnection(command -> CompletableFuture.supplyAsync(() -> replies.apply(command)));
    }

    private static RedisNodeAdmin on(Object reply) {
        return on(server(command -> new RedisReply.Value(reply)));
    }

    private static RedisNodeAdmin on(FakeConnection server) {
        VirtualTime time = new VirtualTime();
        return new RedisNodeAdmin(
                SETTINGS,
                new HandshakeGate(server, SETTINGS, new DistinctServers(), false, time),
                RequiredAcl.examples(false, false),
                Duration.ofMinutes(30),
                (keys, args) -> CompletableFuture.completedFuture(new RedisReply.Value(1L)));
    }

    private static NamePage names(RedisNodeAdmin admin, String from) {
        return admin.names(from).toCompletableFuture().join();
    }

    @Test
    void names_keysOfNoLock_areLeftOut() {
        List<String> keys = List.of(
                "{order}:holdfast:fence", ":holdfast:fence", "{a\u001b[2J}:holdfast:fence", "x", "a}b::holdfast:fence");

        NamePage page = names(on(List.of("0", keys)), NamePage.START);

        assertThat(page.names()).containsExactly("order", "a}b");
        assertThat(page.isLast()).isTrue();
    }

    @Test
    void names_pageWithoutLocks_goesOnWhereTheServerSays() {
        List<List<String>> sent = new ArrayList<>();
        FakeConnection server = server(command -> {
            sent.add(command);
            return new RedisReply.Value(List.of("17", List.of()));
        });

        NamePage page = names(on(server), NamePage.START);

        assertThat(page.isLast()).isFalse();
        assertThat(names(on(server), page.next()).names()).isEmpty();
        assertThat(sent).extracting(command -> command.get(1)).containsExactly("0", "17");
    }

    @Test
    void names_replyOfAnotherForm_fails() {
        assertThatThrownBy(() -> names(on("OK"), NamePage.START)).isInstanceOf(CompletionException.class);
    }

    private static List<Integer> marks(Map<String, Object> owners, Map<String, Object> queues) {
        FakeConnection server = server(command -> new RedisReply.Value(
                command.get(0).equals("MGET")
                        ? command.stream().skip(1).map(owners::get).toList()
                        : queues.getOrDefault(command.get(1), List.of())));
        return on(server).marks(List.of("a", "b")).toCompletableFuture().join();
    }

    @Test
    void marks_holderOrQueueChanges_areOthers() {
        List<Integer> free = marks(Map.of(), Map.of());
        List<Integer> held = marks(Map.of("a", "me"), Map.of());
        List<Integer> taken = marks(Map.of("a", "you"), Map.of());
        List<Integer> awaited = marks(Map.of("a", "you"), Map.of("{a}:holdfast:queue", List.of("c-1")));
        List<Integer> reserved = marks(Map.of(), Map.of("{a}:holdfast:queue", List.of("c-1")));

        assertThat(free).containsExactly(NodeAdmin.FREE, NodeAdmin.FREE);
        assertThat(List.of(free.get(0), held.get(0), taken.get(0), awaited.get(0), reserved.get(0)))
                .doesNotHaveDuplicates();
        assertThat(List.of(held.get(1), taken.get(1), awaited.get(1))).containsOnly(NodeAdmin.FREE);
        assertThat(marks(Map.of("a", "me"), Map.of())).isEqualTo(held);
    }

    @Test
    void marks_oneLockIsForbidden_hidesNoOther() {
        FakeConnection server = server(command -> command.contains("b")
                ? new RedisReply.ServerError("NOPERM No permissions to access a key")
                : new RedisReply.Value(
                        command.get(0).equals("MGET")
                                ? command.stream()
                                        .skip(1)
                                        .map(key -> (Object) key)
                                        .toList()
                                : List.of()));

        List<Integer> marks =
                on(server).marks(List.of("a", "b", "c")).toCompletableFuture().join();

        assertThat(marks.get(1)).isEqualTo(NodeAdmin.UNKNOWN);
        assertThat(marks.get(0)).isNotIn(NodeAdmin.UNKNOWN, NodeAdmin.FREE);
        assertThat(marks.get(2)).isNotIn(NodeAdmin.UNKNOWN, NodeAdmin.FREE);
    }

    /** A connection that was closed replies to nothing, and the timers of its client never fire. */
    @Test
    void examine_closedAfterTheFirstReply_endsWithoutATimer() {
        FakeConnection server = server(command -> command.equals(List.of("INFO"))
                ? new RedisReply.Value("redis_version:8.0.0")
                : new RedisReply.NoReply(false, "closed"));

        assertThat(on(server).examine(new VirtualTime()))
                .succeedsWithin(Duration.ofMinutes(2))
                .asString()
                .contains("its clock cannot be read: closed")
                .doesNotContain("grant +");
    }

    /** A busy server replies to ACL and TIME as to INFO, which says nothing about its user. */
    @Test
    void examine_serverIsBusy_saysSoAndBlamesNoPermission() {
        FakeConnection busy = server(command -> new RedisReply.ServerError("BUSY Redis is busy running a script."));

        assertThat(on(busy).examine(new VirtualTime()).toCompletableFuture().join())
                .asString()
                .contains("SCRIPT KILL ends it")
                .doesNotContain("grant");
    }

    @Test
    void examine_commandsAreDisabled_areNamed() {
        FakeConnection server = server(command -> switch (command.get(0)) {
            case "INFO" -> new RedisReply.Value("redis_version:7.0.15");
            case "ACL" -> acl(command);
            default -> new RedisReply.NoReply(false, "closed");
        });

        assertThat(on(server).examine(new VirtualTime()).toCompletableFuture().join())
                .asString()
                .contains("it lacks commands that a node needs: hset eval,")
                .doesNotContain("ACL SETUSER");
    }

    /** Its user lacks the permission for scripts, which is why it uses none. */
    @Test
    void examine_nodeWithoutScripts_triesItsOwnCommands() {
        List<String> tried = new CopyOnWriteArrayList<>();
        FakeConnection server = server(command -> {
            if (command.get(0).equals("ACL") && command.get(1).equals("DRYRUN")) {
                tried.add(command.get(3));
            }
            return command.get(0).equals("INFO") ? FakeConnection.INFO : new RedisReply.Value("OK");
        });
        VirtualTime time = new VirtualTime();
        NodeAdmin admin =
                new TransactionNode(server, SETTINGS, new DistinctServers(), LockValueFormat.OWNER, time).admin();

        admin.examine(time).toCompletableFuture().join();

        assertThat(tried).contains("watch", "exec", "zadd").doesNotContain("eval", "evalsha", "publish");
    }

    private static RedisReply acl(List<String> command) {
        if (command.get(1).equals("WHOAMI")) {
            return new RedisReply.Value("default");
        }
        return List.of("hset", "eval").contains(command.get(3))
                ? new RedisReply.ServerError("ERR Command '" + command.get(3) + "' not found")
                : new RedisReply.Value("OK");
    }

    @Test
    void inspect_keysAreForbidden_namesTheRules() {
        FakeConnection server = server(command -> new RedisReply.ServerError("NOPERM No permissions to access a key"));

        assertThatThrownBy(() ->
                        on(server).inspect("order:1").toCompletableFuture().join())
                .hasMessageContaining("grant it ~order:1 ~{order:1}:holdfast:*");
    }

    @Test
    void names_scanIsForbidden_namesThePermission() {
        FakeConnection server = server(
                command -> new RedisReply.ServerError("NOPERM this user has no permissions to run the 'scan' command"));

        assertThatThrownBy(() -> names(on(server), NamePage.START)).hasMessageContaining("grant it +scan");
    }

    /** The lock's value is the time of its end, and the note contains the fingerprint of the owner. */
    @Test
    void inspect_valueIsATime_showsTheNoteOfItsOwner() {
        String note = OwnerFingerprint.of("me") + " 2 from b";
        FakeConnection server = server(command -> switch (command.get(0)) {
            case "MGET" -> new RedisReply.Value(Arrays.asList("1795643810980", null, note, "1795643810980 me"));
            case "PTTL" -> new RedisReply.Value(1_000L);
            default -> new RedisReply.Value(List.of());
        });

        NodeLockStatus status =
                on(server).inspect("order").toCompletableFuture().join();

        assertThat(status.holder()).isEqualTo(OwnerFingerprint.of("me"));
        assertThat(status.note().text()).isEqualTo("from b");
    }

    @Test
    void inspect_valuesOfAnotherShape_failWithTheReason() {
        assertThatThrownBy(() -> on(List.of("a", 5L))
                        .inspect("order")
                        .toCompletableFuture()
                        .join())
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("replied what no script of Holdfast returns: a list of 2");
    }
}
