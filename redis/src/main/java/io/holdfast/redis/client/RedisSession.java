package io.holdfast.redis.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A session with one server process, which it never exchanges for another.
 *
 * <p>Implementations are thread-safe, never block the caller, and never send a command a second time: a command whose
 * connection ends completes with {@link RedisReply.NoReply}. Commands of one thread reach the server in their order.
 */
public interface RedisSession {

    /**
     * Sends the command. The returned stage always completes, also when the server hangs, and never exceptionally.
     *
     * @param command its name and its arguments
     */
    CompletionStage<RedisReply> send(List<String> command);

    /**
     * Sends a command whose arguments are composed when it is written. The returned stage behaves as that of {@link
     * #send}. The default composes them at once.
     *
     * @param name the name of the command
     * @param arguments returns the arguments. Called once, on a thread that must not be blocked, or never if the
     *     command is not written
     */
    default CompletionStage<RedisReply> sendWhenWritten(String name, Supplier<List<String>> arguments) {
        return send(command(name, arguments.get()));
    }

    /**
     * Records that the text of a script is about to be sent. Returns {@code false} if it was sent before: the server
     * then knows the script when it reads what is sent now, unless its scripts were removed. The default remembers
     * none.
     *
     * @param digest the digest by which the server names the script
     */
    default boolean sendsFirst(String digest) {
        return true;
    }

    /** Returns the words of a command. */
    static List<String> command(String name, List<String> arguments) {
        List<String> command = new ArrayList<>(1 + arguments.size());
        command.add(name);
        command.addAll(arguments);
        return command;
    }

    /**
     * Subscribes to the channel until the connection ends. The returned stage behaves as that of {@link #send}. A
     * session that cannot receive messages between replies completes it as not sent.
     *
     * @param channel the name of the channel
     * @param consumer receives each message, on a thread that must not be blocked
     */
    default CompletionStage<RedisReply> subscribe(String channel, Consumer<String> consumer) {
        return CompletableFuture.completedFuture(new RedisReply.NoReply(false, "carries no messages"));
    }
}
