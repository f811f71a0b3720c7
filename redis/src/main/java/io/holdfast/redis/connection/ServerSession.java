package io.holdfast.redis.connection;

import io.holdfast.node.WakeUp;
import io.holdfast.node.batch.ClaimBatches;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.keys.ReplyParser;
import io.holdfast.time.ThreadWait;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The state of one session: the identity of its server, the order of its claims and their answers, and the subscription
 * to the inbox of this client.
 */
public final class ServerSession {

    private final RedisSession session;
    private final CompletableFuture<ServerIdentity> identity;
    private final ClaimBatches<RedisReply> claims = new ClaimBatches<>();
    private final ClaimAnswers answers;
    private @Nullable CompletableFuture<Boolean> subscription;
    private volatile @Nullable Listener listener;

    /**
     * A receiver of wake-ups.
     *
     * @param inbox the inbox of the client
     * @param consumer receives each wake-up that is sent to the inbox
     */
    public record Listener(String inbox, Consumer<WakeUp> consumer) {

        private void receive(String message) {
            WakeUp wakeUp = ReplyParser.wakeUp(message);
            if (wakeUp != null) {
                consumer.accept(wakeUp);
            }
        }
    }

    ServerSession(RedisSession session, CompletableFuture<ServerIdentity> identity, BooleanSupplier isAnswered) {
        this.answers = new ClaimAnswers(isAnswered);
        this.session = session;
        this.identity = identity;
    }

    /** Returns the session with the server. */
    public RedisSession session() {
        return session;
    }

    /** Returns the order in which claims are written to the server. */
    public ClaimBatches<RedisReply> claims() {
        return claims;
    }

    /** Returns the number of claims, begun by this client, that have no answer. */
    public int unanswered() {
        return answers.missing();
    }

    ClaimAnswers answers() {
        return answers;
    }

    CompletableFuture<ServerIdentity> identity() {
        return identity;
    }

    /** Returns {@code true} if the server has been identified and must not be the node. */
    boolean isRejected() {
        return identity.isDone() && ThreadWait.resultOf(identity).rejection() != null;
    }

    /**
     * Subscribes on first use and returns {@code true} if wake-ups are expected to arrive. The subscription precedes
     * every later claim on this connection.
     */
    public synchronized boolean subscribe(@Nullable Listener current) {
        if (current == null) {
            return false;
        }
        listener = current;
        if (subscription == null) {
            subscription = session.subscribe(Keys.channel(current.inbox()), this::receive)
                    .thenApply(reply -> reply instanceof RedisReply.Value)
                    .toCompletableFuture();
        }
        return subscription.getNow(true);
    }

    private void receive(String message) {
        Listener current = listener;
        if (current != null) {
            current.receive(message);
        }
    }
}
