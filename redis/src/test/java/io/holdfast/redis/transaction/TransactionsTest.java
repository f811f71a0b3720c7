package io.holdfast.redis.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.redis.client.FakeConnection;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.redis.connection.HandshakeGate;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransactionsTest {

    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, Duration.ofMinutes(1)), false, Duration.ofSeconds(2));

    private final FakeConnection server =
            new FakeConnection(command -> CompletableFuture.completedFuture(new RedisReply.Value("OK")));
    private final RedisSession session = server.session();
    private final Transactions transactions = new Transactions(server);

    @Test
    void run_earlierOneIsUnderWay_waitsForItsEnd() {
        CompletableFuture<String> first = new CompletableFuture<>();
        transactions.run(session, () -> first);
        CompletionStage<String> second = transactions.run(session, () -> CompletableFuture.completedFuture("second"));
        assertThat(second.toCompletableFuture()).isNotDone();

        first.completeExceptionally(new IllegalStateException("the server refused it"));

        assertThat(second).isCompletedWithValue("second");
        assertThat(server.replacements()).isEmpty();
    }

    /** Between MULTI and EXEC, a server queues each command, and replies to none. */
    @Test
    void inspect_transactionIsUnderWay_isSentAfterItsEnd() {
        List<String> sent = new ArrayList<>();
        CompletableFuture<RedisReply> begun = new CompletableFuture<>();
        FakeConnection recorded = new FakeConnection(command -> {
            sent.add(command.get(0));
            return command.get(0).equals("MULTI") ? begun : CompletableFuture.completedFuture(reply(command.get(0)));
        });
        try (TransactionNode node = new TransactionNode(
                recorded, SETTINGS, new DistinctServers(), LockValueFormat.OWNER, new VirtualTime())) {
            node.ask(Claim.acquire("order", new Owner("me"), Duration.ofSeconds(1), new FencingToken(2)));
            node.admin().inspect("order");
            begun.complete(new RedisReply.Value("OK"));
        }

        assertThat(sent).containsSubsequence("MULTI", "EXEC", "ZRANGE");
        assertThat(sent.subList(sent.indexOf("MULTI"), sent.indexOf("EXEC"))).doesNotContain("MGET", "ZRANGE");
    }

    private static RedisReply reply(String command) {
        return switch (command) {
            case "INFO" -> FakeConnection.INFO;
            case "GET" -> new RedisReply.Value(null);
            case "MGET" -> new RedisReply.Value(Arrays.asList(null, null));
            case "PTTL" -> new RedisReply.Value(-2L);
            case "TIME" -> new RedisReply.Value(List.of("1", "0"));
            default -> new RedisReply.Value("OK");
        };
    }

    @ParameterizedTest
    @CsvSource({"-1, true", "-2, true", "999, true", "1000, false"})
    void extend_timeToLiveOfTheKey_isSetUnlessItIsLongEnough(long pttl, boolean isSet) {
        List<String> sent = new ArrayList<>();
        FakeConnection recorded = new FakeConnection(command -> {
            sent.add(command.get(0));
            return CompletableFuture.completedFuture(
                    switch (command.get(0)) {
                        case "GET" -> new RedisReply.Value("me");
                        case "PTTL" -> new RedisReply.Value(pttl);
                        default -> reply(command.get(0));
                    });
        });
        try (TransactionNode node = new TransactionNode(
                recorded, SETTINGS, new DistinctServers(), LockValueFormat.OWNER, new VirtualTime())) {
            Claim acquired = Claim.acquire("order", new Owner("me"), Duration.ofSeconds(1), new FencingToken(2));

            assertThat(node.ask(acquired.extend(Duration.ofSeconds(1)))).isCompletedWithValue(Reply.GRANTED);
        }

        assertThat(sent.contains("SET")).isEqualTo(isSet);
        // Read later, it could be that of the next holder.
        assertThat(sent).containsSubsequence("WATCH", "PTTL", "GET");
    }

    /** After MULTI without EXEC, each command would belong to the transaction that failed. */
    @Test
    void run_threadFailsWithinATransaction_connectionIsReplacedBeforeTheNextOne() {
        CompletableFuture<String> read = new CompletableFuture<>();
        CompletionStage<String> first = transactions.run(
                session,
                () -> read.thenCompose(value -> {
                    throw new StackOverflowError("in the middle");
                }));
        List<Boolean> replacedBefore = new ArrayList<>();
        transactions.run(session, () -> {
            replacedBefore.add(!server.replacements().isEmpty());
            return CompletableFuture.completedFuture("second");
        });

        read.complete("value");

        assertThatThrownBy(() -> first.toCompletableFuture().join()).hasMessageContaining("in the middle");
        assertThat(replacedBefore).containsExactly(true);
    }

    @Test
    void begin_callsThrow_theNumberOfThoseThatWaitIsUnchanged() {
        for (int i = 0; i <= HandshakeGate.MAX_WAITING; i++) {
            assertThatThrownBy(() -> transactions.begin(
                            () -> {
                                throw new StackOverflowError();
                            },
                            () -> "too many"))
                    .isInstanceOf(StackOverflowError.class);
        }

        assertThat(transactions.begin(() -> CompletableFuture.completedFuture("begun"), () -> "too many"))
                .isCompletedWithValue("begun");
    }
}
