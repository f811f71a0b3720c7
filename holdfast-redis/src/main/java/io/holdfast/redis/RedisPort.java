package io.holdfast.redis;

/** What a node needs of a Redis client: the present connection to one server. Implementations are thread-safe. */
public interface RedisPort extends AutoCloseable {

    /** The address without its password. */
    String name();

    /** The present connection; while there is none, one that answers every command as not sent, and why. */
    RedisSession session();

    /** Ends the connection. Commands under way are answered as lost. Has no effect the second time. */
    @Override
    void close();
}
