package io.holdfast.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * What a node needs of a Redis client: to send one command to one server, at most once.
 *
 * <p>Implementations are thread-safe, never block the caller, and never send a command a second time: a command whose
 * connection ends is answered as {@link Answer.Lost}. Commands of one thread reach the server in their order.
 */
public interface RedisPort extends AutoCloseable {

    /** The address without its password. */
    String name();

    /**
     * Sends the command. The stage never completes exceptionally, and completes in the end also when the server hangs.
     *
     * @param command its name and its arguments
     */
    CompletionStage<Answer> send(List<String> command);

    /** Ends the connection. Commands under way are answered as lost. Has no effect the second time. */
    @Override
    void close();
}
