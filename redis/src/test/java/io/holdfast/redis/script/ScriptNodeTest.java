package io.holdfast.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.redis.client.FakeConnection;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.redis.connection.RunId;
import io.holdfast.redis.keys.Keys;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replies that no healthy server sends. The contract tests cover the other replies, on real servers. */
class ScriptNodeTest {

    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, Duration.ofMinutes(1)), false, Duration.ofSeconds(2));

    static Stream<RedisReply> invalidReplies() {
        return Stream.of(
                new RedisReply.Value(null),
                new RedisReply.Value("OK"),
                new RedisReply.Value(1L),
                new RedisReply.Value(List.of()),
                new RedisReply.Value(List.of("refused", 5L)),
                new RedisReply.Value(List.of("refused", 5L, "many")),
                new RedisReply.Value(List.of("refused", Double.NaN, "1")),
                new RedisReply.Value(Arrays.asList("refused", null, "1")),
                new RedisReply.Value(Arrays.asList(null, 5L, "1")),
                new RedisReply.Value(List.of("stale", "-1")),
                new RedisReply.Value(List.of("quarantined", "soon")),
                new RedisReply.Value(List.of("perhaps")));
    }

    @ParameterizedTest
    @MethodSource("invalidReplies")
    void ask_invalidReply_isUnknown(RedisReply reply) {
        assertThat(ask(reply))
                .isInstanceOfSatisfying(
                        Reply.Failed.class,
                        failed -> assertThat(failed.mayBeCarriedOut()).isTrue());
    }

    /** Each claim by itself would be refused in the same way. */
    @Test
    void batch_serverIsBusy_isNotSentAgain() {
        RedisReply busy = new RedisReply.ServerError("BUSY Redis is busy");
        ClaimBatch batch = new ClaimBatch(
                claim -> {
                    throw new AssertionError("alone");
                },
                Keys::of,
                RunId.DURABLE,
                "");

        IntFunction<RedisReply> replies = batch.send(
                        command -> CompletableFuture.completedFuture(busy), () -> List.of(claim("a"), claim("b")))
                .toCompletableFuture()
                .join();

        assertThat(replies.apply(0)).isEqualTo(busy);
        assertThat(replies.apply(1)).isEqualTo(busy);
    }

    private static Claim claim(String resource) {
        return Claim.acquire(resource, new Owner("me"), Duration.ofSeconds(1), new FencingToken(2));
    }

    private static Reply ask(RedisReply reply) {
        FakeConnection connection = new FakeConnection(command ->
                CompletableFuture.completedFuture(command.get(0).equals("INFO") ? FakeConnection.INFO : reply));
        return new ScriptNode(connection, SETTINGS, new DistinctServers(), new VirtualTime())
                .ask(claim("a"))
                .toCompletableFuture()
                .join();
    }
}
