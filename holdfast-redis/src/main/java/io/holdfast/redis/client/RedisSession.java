package io.holdfast.redis.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * One connection, which leads to one run of one server and to nothing else for as long as it lasts.
 *
 * <p>Implementations are thread-safe, never block the caller, and never send a command a second time: a command whose
 * connection ends is answered as {@link RedisReply.Lost}. Commands of one thread reach the server in their order.
 */
public interface RedisSession {

    /**
     * Sends the command. The stage never completes exceptionally, and completes in the end also when the server hangs.
     *
     * @param command its name and its arguments
     */
    CompletionStage<RedisReply> send(List<String> command);

    /**
     * From now on, and until the connection ends, the consumer is given the messages on this channel, on a thread that must not be
     * blocked. The stage behaves as that of {@link #send}; a session that cannot carry messages beside answers says that it has
     * sent nothing.
     */
    default CompletionStage<RedisReply> subscribe(String channel, Consumer<String> consumer) {
        return CompletableFuture.completedFuture(new RedisReply.Lost(false, "carries no messages"));
    }
}
