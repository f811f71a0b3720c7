package io.holdfast.lettuce;

import io.holdfast.redis.ServerErrors;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;

/** Why a connection could not be made, in one line without a password. */
final class ConnectFailures {

    private ConnectFailures() {}

    static String explain(Throwable failure) {
        Throwable last = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandExecutionException) {
                return ServerErrors.explain(String.valueOf(cause.getMessage()));
            } else if (cause instanceof SSLException) {
                return "no TLS with this server (" + firstLine(cause)
                        + "); use redis:// if it speaks none, else trust its certificate";
            } else if (cause instanceof UnknownHostException) {
                return "the host name cannot be resolved; check its spelling";
            } else if (cause instanceof ConnectException && firstLine(cause).contains("refused")) {
                return "connection refused; does a server run there?";
            } else if (cause instanceof RedisCommandTimeoutException) {
                return "the server accepts the connection but does not answer";
            }
            last = cause;
        }
        // Lettuce says no more than this when the server's refusal and the end of the connection come together.
        return firstLine(last).contains("closed prematurely")
                ? "the server ended the connection at once; check the password, TLS and the server's maxclients"
                : firstLine(last);
    }

    private static String firstLine(Throwable failure) {
        String message = failure.getMessage();
        return message == null
                ? failure.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }
}
