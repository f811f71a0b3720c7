package io.holdfast.servers;

/** Thrown when the server replies to a command with an error. The message is the server's. */
public final class RedisReplyException extends RuntimeException {

    private static final long serialVersionUID = 1;

    RedisReplyException(String message) {
        super(message);
    }
}
