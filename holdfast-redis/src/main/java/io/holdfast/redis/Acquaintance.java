package io.holdfast.redis;

import io.holdfast.node.Wake;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The server at the other end of one session: what it is, and whether it tells this client what is sent to its inbox. */
final class Acquaintance {

    private final RedisSession session;
    private final CompletableFuture<Introduction> introduction;
    private @Nullable CompletableFuture<Boolean> listening;
    private volatile @Nullable Listener listener;

    /** Who hears what is sent to an inbox. */
    record Listener(String inbox, Consumer<Wake> consumer) {

        private void hear(String message) {
            Wake wake = Replies.wake(message);
            if (wake != null) {
                consumer.accept(wake);
            }
        }
    }

    Acquaintance(RedisSession session, CompletableFuture<Introduction> introduction) {
        this.session = session;
        this.introduction = introduction;
    }

    RedisSession session() {
        return session;
    }

    CompletableFuture<Introduction> introduction() {
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
    synchronized boolean tells(@Nullable Listener present) {
        if (present == null) {
            return false;
        }
        listener = present;
        if (listening == null) {
            listening = session.subscribe(Keys.channel(present.inbox()), this::hear)
                    .thenApply(answer -> answer instanceof Answer.Value)
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
