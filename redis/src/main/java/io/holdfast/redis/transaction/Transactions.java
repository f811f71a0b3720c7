package io.holdfast.redis.transaction;

import io.holdfast.node.batch.InFlight;
import io.holdfast.node.batch.InOrder;
import io.holdfast.redis.client.NodeConnection;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.connection.HandshakeGate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The transactions of one node, of which one runs at a time. Thread-safe. */
final class Transactions {

    /** The reason why a transaction does not begin. */
    static final String TOO_MANY = HandshakeGate.MAX_WAITING + " claims wait for this server";

    private final NodeConnection connection;
    private final InOrder order = new InOrder();
    private final InFlight waiting = new InFlight(HandshakeGate.MAX_WAITING);

    Transactions(NodeConnection connection) {
        this.connection = connection;
    }

    /**
     * Begins a claim that runs one transaction.
     *
     * @param excess returns the outcome if too many wait
     */
    <T> CompletionStage<T> begin(Supplier<CompletionStage<T>> claim, Supplier<T> excess) {
        return waiting.run(claim, excess);
    }

    /** Runs the commands when those of earlier calls have ended. */
    <T> CompletionStage<T> run(RedisSession session, Supplier<CompletionStage<T>> commands) {
        return endAfterError(session, order.run(() -> endAfterError(session, started(commands))));
    }

    /** Returns the session for other commands: one within a transaction would be a part of it, and have no reply. */
    RedisSession between(RedisSession session) {
        return command -> run(session, () -> session.send(command));
    }

    private static <T> CompletionStage<T> started(Supplier<CompletionStage<T>> commands) {
        try {
            return commands.get();
        } catch (RuntimeException | Error broken) {
            return CompletableFuture.failedFuture(broken);
        }
    }

    /** Ends a connection with a transaction that may have begun: the next one would be a part of it. */
    private <T> CompletionStage<T> endAfterError(RedisSession session, CompletionStage<T> outcome) {
        return outcome.whenComplete((done, failure) -> {
            Throwable cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
            if (cause instanceof Error) {
                connection.replace(session, "a transaction has failed on it: " + cause);
            }
        });
    }
}
