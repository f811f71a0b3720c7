package io.holdfast.redis.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.redis.client.NodeConnection;
import io.holdfast.redis.client.Outage;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.redis.connection.HandshakeGate;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Servers that reply to an administrator what no healthy server does. */
class RedisNodeAdminTest {

    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, Duration.ofMinutes(1)), false, Duration.ofSeconds(2));

    private record Server(Function<List<String>, RedisReply> replies) implements NodeConnection {

        @Override
        public String name() {
            return "a hostile server";
        }

        @Override
        public RedisSession session() {
            return command -> CompletableFuture.supplyAsync(() -> replies.apply(command));
        }

        @Override
        public @Nullable Outage outage() {
            return null;
        }

        @Override
        public void replace(RedisSession rejected, String cause) {}

        @Override
        public void close() {}
    }

    private static RedisNodeAdmin on(Object reply) {
        return on(new Server(command -> new RedisReply.Value(reply)));
    }

    private static RedisNodeAdmin on(Server server) {
        VirtualTime time = new VirtualTime();
        return new RedisNodeAdmin(
                server, SETTINGS, new HandshakeGate(server, SETTINGS, new DistinctServers(), false, time));
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
        Server server = new Server(command -> command.equals(List.of("INFO"))
                ? new RedisReply.Value("redis_version:8.0.0")
                : new RedisReply.NoReply(false, "closed"));

        assertThat(on(server).examine(new VirtualTime()))
                .succeedsWithin(Duration.ofSeconds(10))
                .asString()
                .contains("its clock cannot be read");
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
