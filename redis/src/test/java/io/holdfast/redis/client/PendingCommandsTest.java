package io.holdfast.redis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PendingCommandsTest {

    private final PendingCommands pending = new PendingCommands();
    private final VirtualTime time = new VirtualTime();
    private final SameReply connection = SameReply.none();

    @Test
    void count_tooMany_sendsNoFurther() {
        List<CompletableFuture<RedisReply>> commands = fill();

        CompletionStage<RedisReply> excess = pending.count(() -> {
            throw new AssertionError("was sent");
        });

        assertThat(excess).isCompletedWithValue(PendingCommands.TOO_MANY);
        assertThat(pending.hasReplied()).isFalse();
        commands.get(0).complete(new RedisReply.Value("OK"));
        assertThat(pending.hasReplied()).isTrue();
        assertThat(pending.count(CompletableFuture::new).toCompletableFuture()).isNotDone();
    }

    /** Otherwise each such command would reduce the number of later ones permanently. */
    @Test
    void count_commandCannotBeSent_isNotPending() {
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> pending.count(() -> {
                        throw new StackOverflowError();
                    }))
                    .isInstanceOf(StackOverflowError.class);
        }

        assertThat(fill()).allSatisfy(command -> assertThat(command).isNotDone());
    }

    @Test
    void closeWhenSilent_noReplyFor11s_closes() {
        pending.closeWhenSilent(connection, time);
        pending.count(CompletableFuture::new);
        time.advance(Duration.ofSeconds(10));
        assertThat(connection.ended()).isNotDone();

        time.advance(Duration.ofSeconds(1));

        assertThat(connection.ended()).isDone();
    }

    /** A server that answers one of two commands is not silent. */
    @Test
    void closeWhenSilent_someReplies_keepsTheConnection() {
        pending.closeWhenSilent(connection, time);
        pending.count(CompletableFuture::new);

        for (int i = 0; i < 60; i++) {
            pending.count(() -> CompletableFuture.completedFuture(new RedisReply.Value("OK")));
            time.advance(Duration.ofSeconds(1));
        }

        assertThat(connection.ended()).isNotDone();
    }

    @Test
    void closeWhenSilent_memoryIsFullAtTheEnd_closesASecondLater() {
        SameReply full = new SameReply(null, new FailingEnd());
        pending.closeWhenSilent(full, time);
        pending.count(CompletableFuture::new);
        assertThatThrownBy(() -> time.advance(Duration.ofSeconds(11))).isInstanceOf(OutOfMemoryError.class);

        time.advance(Duration.ofSeconds(1));

        assertThat(full.ended()).isDone();
    }

    /** The end of a connection, which fails the first time. */
    private static final class FailingEnd extends CompletableFuture<Void> {

        private boolean hasFailed;

        @Override
        public boolean complete(@Nullable Void none) {
            if (!hasFailed) {
                hasFailed = true;
                throw new OutOfMemoryError("in a test");
            }
            return super.complete(null);
        }
    }

    private List<CompletableFuture<RedisReply>> fill() {
        List<CompletableFuture<RedisReply>> commands = new ArrayList<>();
        for (int i = 0; i < PendingCommands.MAX_PENDING; i++) {
            CompletableFuture<RedisReply> command = new CompletableFuture<>();
            assertThat(pending.count(() -> command).toCompletableFuture()).isNotDone();
            commands.add(command);
        }
        return commands;
    }
}
