package io.holdfast.jedis;

import io.holdfast.redis.client.RedisReply;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The replies that a connection owes, in the order of its commands. After the end no reply is assigned: a reply that
 * was read before would otherwise go to the next command.
 *
 * <p>Thread-safe; completes no future under its lock.
 */
final class UnrepliedCommands {

    private final Queue<CompletableFuture<RedisReply>> replies = new ArrayDeque<>();
    private boolean ended;

    /** Adds the replies of commands that are about to be sent. */
    synchronized void add(Collection<CompletableFuture<RedisReply>> sent) {
        sent.forEach(replies::add);
    }

    /**
     * Completes the reply to the oldest command, unless the connection has ended.
     *
     * @throws IllegalStateException if no command is without a reply
     */
    void complete(RedisReply read) {
        CompletableFuture<RedisReply> oldest = oldest();
        if (oldest != null) {
            oldest.complete(read);
        }
    }

    private synchronized @Nullable CompletableFuture<RedisReply> oldest() {
        if (ended) {
            return null;
        } else if (replies.isEmpty()) {
            throw new IllegalStateException("a reply without a command");
        }
        return replies.remove();
    }

    /** Ends the assignment of replies, and completes all that are missing with this one. */
    void end(RedisReply missing) {
        removeAll().forEach(reply -> reply.complete(missing));
    }

    private synchronized List<CompletableFuture<RedisReply>> removeAll() {
        ended = true;
        List<CompletableFuture<RedisReply>> all = List.copyOf(replies);
        replies.clear();
        return all;
    }
}
