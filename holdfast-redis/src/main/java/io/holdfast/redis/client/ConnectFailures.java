package io.holdfast.redis.client;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Explains why a connection could not be made, in one line without a password. */
public final class ConnectFailures {

    private ConnectFailures() {}

    /**
     * Returns the explanation of the failure or of the first of its causes that has one.
     *
     * @param ofClient explains an exception of the Redis client; returns null for any other
     */
    public static String explain(Throwable failure, Function<Throwable, @Nullable String> ofClient) {
        Throwable last = failure;
        for (Throwable cause = failure; cause != null; cause = causeOf(cause)) {
            String known = ofClient.apply(cause);
            if (known == null) {
                known = ofSocket(cause);
            }
            if (known != null) {
                return known;
            }
            last = cause;
        }
        return firstLine(last);
    }

    /** Returns the first suppressed failure where there is no cause: some clients try each address of a host. */
    private static @Nullable Throwable causeOf(Throwable failure) {
        Throwable[] suppressed = failure.getSuppressed();
        return failure.getCause() != null || suppressed.length == 0 ? failure.getCause() : suppressed[0];
    }

    private static @Nullable String ofSocket(Throwable cause) {
        if (cause instanceof SSLException) {
            return noTls(firstLine(cause));
        } else if (cause instanceof UnknownHostException) {
            return "the host name cannot be resolved; check its spelling";
        } else if (cause instanceof ConnectException && firstLine(cause).contains("refused")) {
            return "connection refused; does a server run there?";
        } else if (cause instanceof SocketTimeoutException) {
            return silent();
        } else if (firstLine(cause).contains("closed prematurely")) {
            return endedAtOnce();
        }
        return null;
    }

    /** Returns the explanation of a failed TLS handshake. */
    public static String noTls(String why) {
        return "no TLS with this server (" + why + "); use redis:// if it speaks none, else trust its certificate";
    }

    /** Returns the explanation of a connection without a reply. */
    public static String silent() {
        return "the server accepts the connection but does not answer";
    }

    /**
     * Returns the explanation of a connection that the server closed at once, perhaps with an error that the client
     * lost.
     */
    public static String endedAtOnce() {
        return "the server ended the connection at once; check the password, TLS and the server's maxclients";
    }

    private static String firstLine(Throwable failure) {
        String message = failure.getMessage();
        return message == null
                ? failure.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }
}
