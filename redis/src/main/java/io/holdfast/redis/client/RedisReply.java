package io.holdfast.redis.client;

import org.jspecify.annotations.Nullable;

/** The outcome of one command. */
public sealed interface RedisReply {

    /**
     * A value that the server replied.
     *
     * @param value a String, a Long, a List of such values, or null
     */
    record Value(@Nullable Object value) implements RedisReply {}

    /**
     * An error that the server replied: it refused the command or aborted the script.
     *
     * @param message the server's message, such as {@code NOSCRIPT No matching script}
     */
    record ServerError(String message) implements RedisReply {}

    /**
     * A command that ended without a reply.
     *
     * @param sent {@code true} if the server may have received the command, or may still receive it
     * @param cause one line for the user
     * @param lasting whether waiting does not help: an administrator has to change something
     */
    record NoReply(boolean sent, String cause, boolean lasting) implements RedisReply {

        /** Creates the outcome of a command that may succeed later. */
        public NoReply(boolean sent, String cause) {
            this(sent, cause, false);
        }
    }
}
