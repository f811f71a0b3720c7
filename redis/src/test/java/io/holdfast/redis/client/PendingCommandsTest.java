package io.holdfast.redis.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class PendingCommandsTest {

    private final PendingCommands pending = new PendingCommands();

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
