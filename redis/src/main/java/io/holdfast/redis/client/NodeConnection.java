package io.holdfast.redis.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The current connection of a node to its server. Implementations are thread-safe. */
public interface NodeConnection extends AutoCloseable {

    /** Returns the address without its password. */
    String name();

    /**
     * Returns the current session. While there is no connection, the session replies to each command that it was not
     * sent, and why.
     */
    RedisSession session();

    /** Returns the current outage, or null while there is a connection or if the implementation does not know. */
    default @Nullable Outage outage() {
        return null;
    }

    /**
     * Closes the connection of this session, because its server must not be used as a node, and makes a new one. Has no
     * effect if the session is not the current one.
     *
     * @param session the session whose server must not be used
     * @param cause one line for the user
     */
    default void replace(RedisSession session, String cause) {}

    /** Closes the connection permanently. Pending commands complete without a reply. Has no effect the second time. */
    @Override
    void close();

    /** Completes when nothing of a closed connection is left, as {@link io.holdfast.node.LockNode#freed} requires. */
    default CompletionStage<?> freed() {
        return CompletableFuture.completedFuture(null);
    }
}
