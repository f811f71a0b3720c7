package io.holdfast.redis.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.client.FakeConnection;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.connection.HandshakeGate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class TransactionsTest {

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
