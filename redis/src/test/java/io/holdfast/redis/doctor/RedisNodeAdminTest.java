package io.holdfast.redis.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.redis.client.FakeConnection;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.redis.connection.HandshakeGate;
import io.holdfast.redis.keys.OwnerFingerprint;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
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
                server::session,
                SETTINGS,
                new HandshakeGate(server, SETTINGS, new DistinctServers(), false, time),
                Duration.ofMinutes(30),
                (keys, args) -> CompletableFuture.completedFuture(new RedisReply.Value(1L)));
    }

    @Test
    void names_listWithoutEnd_fails() {
        RedisNodeAdmin admin = on(List.of("17", Collections.nCopies(1_000, "{order}:holdfast:fence")));

        assertThatThrownBy(() -> admin.names(page -> true).toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("does not end");
    }

    @Test
    void names_keysOfNoLock_areLeftOut() {
        List<String> keys = List.of(
                "{order}:holdfast:fence", ":holdfast:fence", "{a\u001b[2J}:holdfast:fence", "x", "a}b::holdfast:fence");

        List<String> names = new ArrayList<>();
        assertThat(on(List.of("0", keys))
                        .names(names::addAll)
                        .toCompletableFuture()
                        .join())
                .isTrue();
        assertThat(names).containsExactly("order", "a}b");
    }

    @Test
    void names_receiverWantsNoMore_requestsNoFurtherPage() {
        AtomicInteger pages = new AtomicInteger();

        boolean complete = on(List.of("17", List.of("{order}:holdfast:fence")))
                .names(page -> pages.incrementAndGet() < 3)
                .toCompletableFuture()
                .join();

        assertThat(complete).isFalse();
        assertThat(pages).hasValue(3);
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
                .contains("its clock cannot be read");
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

        assertThatThrownBy(() ->
                        on(server).names(page -> true).toCompletableFuture().join())
                .hasMessageContaining("grant it +scan");
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
