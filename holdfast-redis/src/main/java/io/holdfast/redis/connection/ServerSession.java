package io.holdfast.redis.connection;

import io.holdfast.node.WakeUp;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.keys.ReplyParser;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The server at the other end of one session: what it is, and whether it tells this client what is sent to its inbox. */
public final class ServerSession {

    private final RedisSession session;
    private final CompletableFuture<ServerIdentity> introduction;
    private @Nullable CompletableFuture<Boolean> listening;
    private volatile @Nullable Listener listener;

    /** Who hears what is sent to an inbox. */
    public record Listener(String inbox, Consumer<WakeUp> consumer) {

        private void hear(String message) {
            WakeUp wake = ReplyParser.wake(message);
            if (wake != null) {
                consumer.accept(wake);
            }
        }
    }

    ServerSession(RedisSession session, CompletableFuture<ServerIdentity> introduction) {
        this.session = session;
        this.introduction = introduction;
    }

    public RedisSession session() {
        return session;
    }

    CompletableFuture<ServerIdentity> introduction() {
        return introduction;
    }

    /** Whether the server has said that it cannot be the node. */
    boolean isUnfit() {
        return introduction.isDone() && introduction.join().objection() != null;
    }

    /**
     * Whether the server tells the listener, as far as is known. The first time, it begins to listen: claims that are sent after
     * that find it listening.
     */
    public synchronized boolean tells(@Nullable Listener present) {
        if (present == null) {
            return false;
        }
        listener = present;
        if (listening == null) {
            listening = session.subscribe(Keys.channel(present.inbox()), this::hear)
                    .thenApply(answer -> answer instanceof RedisReply.Value)
                    .toCompletableFuture();
        }
        return listening.getNow(true);
    }

    private void hear(String message) {
        Listener present = listener;
        if (present != null) {
            present.hear(message);
        }
    }
}
