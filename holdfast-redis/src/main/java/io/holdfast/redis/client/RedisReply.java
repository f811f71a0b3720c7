package io.holdfast.redis.client;

import org.jspecify.annotations.Nullable;

/** What came of one command. */
public sealed interface RedisReply {

    /**
     * The server's reply.
     *
     * @param value a String, a Long, a List of such values, or null
     */
    record Value(@Nullable Object value) implements RedisReply {}

    /**
     * The server refused the command or aborted the script.
     *
     * @param message in the server's words, such as {@code NOSCRIPT No matching script}
     */
    record ServerError(String message) implements RedisReply {}

    /**
     * There is no reply.
     *
     * @param sent whether the server may have got the command, or may still get it
     * @param cause one line for the user
     */
    record Lost(boolean sent, String cause) implements RedisReply {}
}
