package io.holdfast.redis.client;

import org.jspecify.annotations.Nullable;

/** What a node needs of a Redis client: the present connection to one server. Implementations are thread-safe. */
public interface NodeConnection extends AutoCloseable {

    /** The address without its password. */
    String name();

    /** The present connection; while there is none, one that answers every command as not sent, and why. */
    RedisSession session();

    /** The outage that lasts now; null while there is a connection, or where that is not known. */
    default @Nullable Outage outage() {
        return null;
    }

    /**
     * Ends this connection because the server at its other end is not fit, and makes a new one. Has no effect if the connection is
     * not the present one.
     *
     * @param cause one line for the user
     */
    default void replace(RedisSession session, String cause) {}

    /** Ends the connection. Commands under way are answered as lost. Has no effect the second time. */
    @Override
    void close();
}
