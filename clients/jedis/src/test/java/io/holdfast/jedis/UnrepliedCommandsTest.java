package io.holdfast.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.client.RedisReply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class UnrepliedCommandsTest {

    private static final RedisReply ENDED = new RedisReply.NoReply(true, "ended");

    private final UnrepliedCommands commands = new UnrepliedCommands();
    private final CompletableFuture<RedisReply> first = new CompletableFuture<>();
    private final CompletableFuture<RedisReply> second = new CompletableFuture<>();

    @Test
    void complete_twoCommands_followsTheirOrder() {
        commands.add(List.of(first, second));

        commands.complete(new RedisReply.Value("1"));
        commands.complete(new RedisReply.Value("2"));

        assertThat(first).isCompletedWithValue(new RedisReply.Value("1"));
        assertThat(second).isCompletedWithValue(new RedisReply.Value("2"));
    }

    /**
     * The thread that reads has the reply to the first command in its hand while another thread ends the connection.
     */
    @Test
    void complete_duringTheEnd_givesNoCommandTheReplyOfAnother() {
        commands.add(List.of(first, second));
        first.thenRun(() -> commands.complete(new RedisReply.Value("1")));

        commands.end(ENDED);

        assertThat(first).isCompletedWithValue(ENDED);
        assertThat(second).isCompletedWithValue(ENDED);
    }

    @Test
    void complete_noCommand_isAFaultOfTheServer() {
        assertThatThrownBy(() -> commands.complete(new RedisReply.Value("1")))
                .isInstanceOf(IllegalStateException.class);
    }
}
