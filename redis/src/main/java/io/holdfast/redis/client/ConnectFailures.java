package io.holdfast.redis.client;

import io.holdfast.node.ProcessLimit;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Explains why a connection could not be made, in one line without a password. */
public final class ConnectFailures {

    /**
     * The name of an alert, as {@code (unknown_ca)}, that newer versions of Java put before the message of a handshake.
     */
    private static final Pattern ALERT_NAME = Pattern.compile("^\\(\\w+\\) ");

    /** The messages of Java and of Netty for a reply that is none of TLS. */
    private static final Predicate<String> IS_NO_TLS = Pattern.compile(
                    "^Unsupported or unrecognized SSL message|^not an SSL/TLS record")
            .asPredicate();

    /** The beginning of the message of Netty for a handshake without an end. */
    private static final String NO_END = "handshake timed out";

    /** The beginning of what is reported of a handshake that failed for an unknown reason. */
    private static final String HANDSHAKE = "the TLS handshake";

    /** The alerts by which a server refuses the certificate of a client. */
    private static final Predicate<String> IS_REFUSED_CERTIFICATE = Pattern.compile("^Received fatal alert: "
                    + "(bad_certificate|unknown_ca|certificate_\\w+|unsupported_certificate|decrypt_error)")
            .asPredicate();

    /** The remedy for a server that requires a certificate of its clients. */
    private static final String GIVE_CERTIFICATE = "give a certificate and its key (--cert and --key for the command)";

    /** The advice about a proxy, which accepts a connection before it knows whether its server runs. */
    private static final String BEHIND_PROXY = "behind a proxy, whether the server itself runs";

    private ConnectFailures() {}

    /**
     * Returns the explanation of the failure or of the first of its causes that has one.
     *
     * @param ofClient explains an exception of the Redis client; returns null for any other
     */
    public static ConnectFailure explain(Throwable failure, Function<Throwable, @Nullable ConnectFailure> ofClient) {
        Throwable last = failure;
        for (Throwable cause = failure; cause != null; cause = causeOf(cause)) {
            ConnectFailure known =
                    cause instanceof ConnectFailure.Explained explained ? explained.failure() : ofClient.apply(cause);
            if (known == null) {
                known = ofSocket(cause);
            }
            if (known != null) {
                return known;
            }
            last = cause;
        }
        return isDefect(last) ? noRedis() : ConnectFailure.passing(firstLine(last));
    }

    /**
     * Returns {@code true} for the failure of a client that relied on the form of a reply. Its message shows no remedy.
     */
    private static boolean isDefect(Throwable failure) {
        return failure instanceof ClassCastException
                || failure instanceof NullPointerException
                || failure instanceof IndexOutOfBoundsException
                || failure instanceof IllegalArgumentException;
    }

    /** Returns the explanation of a server whose replies have another form than those of Redis. */
    private static ConnectFailure noRedis() {
        return ConnectFailure.passing(
                "its reply to the first command has another form than that of Redis; does a Redis or"
                        + " Valkey server run there?");
    }

    /** Returns the first suppressed failure where there is no cause: some clients try each address of a host. */
    private static @Nullable Throwable causeOf(Throwable failure) {
        Throwable[] suppressed = failure.getSuppressed();
        return failure.getCause() != null || suppressed.length == 0 ? failure.getCause() : suppressed[0];
    }

    private static @Nullable ConnectFailure ofSocket(Throwable cause) {
        String message = firstLine(cause);
        Optional<ProcessLimit> limit = ProcessLimit.of(cause);
        if (limit.isPresent()) {
            return ConnectFailure.passing(limit.get().explanation());
        } else if (cause instanceof SSLException) {
            return ofHandshake(ALERT_NAME.matcher(message).replaceFirst(""));
        } else if (cause instanceof UnknownHostException) {
            return ConnectFailure.passing("the host name cannot be resolved; check its spelling");
        } else if (cause instanceof ConnectException && message.contains("refused")) {
            return ConnectFailure.passing("connection refused; does a server run there?");
        } else if (cause instanceof SocketTimeoutException) {
            return silent();
        } else if (message.contains("closed prematurely")
                || message.startsWith("Connection reset")
                || message.equals("Broken pipe")) {
            return endedAtOnce();
        }
        return null;
    }

    /**
     * Returns the explanation of a failure of a connection with TLS.
     *
     * @param reason the explanation of the same failure without TLS
     */
    public static ConnectFailure overTls(ConnectFailure reason) {
        if (reason.equals(silent())) {
            return slowHandshake();
        }
        return reason.equals(endedAtOnce())
                ? ConnectFailure.passing(
                        "the server ended the connection after the TLS handshake; check the password, the"
                                + " server's maxclients, and " + BEHIND_PROXY + "; if it requires a certificate of this"
                                + " client, " + GIVE_CERTIFICATE)
                : reason;
    }

    /**
     * Returns the explanation of a handshake that took too long, in this process as well: the classes of a handshake
     * are many. A server without TLS may be silent too, since it waits for the rest of what it considers a command.
     */
    private static ConnectFailure slowHandshake() {
        return handshake("did not end within the time limit for connections; does a server with TLS run there, and is"
                + " neither it nor this machine overloaded?");
    }

    private static ConnectFailure handshake(String end) {
        return ConnectFailure.passing(HANDSHAKE + " " + end);
    }

    /** Returns whether the server may speak no TLS, although the address requests it. */
    public static boolean mayLackTls(ConnectFailure reason) {
        return reason.cause().startsWith(HANDSHAKE);
    }

    /** Returns the explanation of a failed TLS handshake; Java's message distinguishes the cases. */
    private static ConnectFailure ofHandshake(String message) {
        if (message.contains("PKIX path building")) {
            return ConnectFailure.lasting("its certificate is not signed by an authority that this client trusts;"
                    + " give the certificate of the authority (--ca for the command)");
        } else if (message.contains("PKIX path validation") || message.contains("NotAfter")) {
            return ConnectFailure.lasting(
                    "its certificate is not valid now (" + message + "); renew it, and check the clocks");
        } else if (message.contains("subject alternative") || message.contains("No name matching")) {
            return ConnectFailure.lasting("its certificate is for another name (" + message
                    + "); write a name that it contains, or have it reissued");
        }
        if (message.startsWith(NO_END)) {
            return slowHandshake();
        }
        return IS_NO_TLS.test(message) ? answersWithoutTls() : ofAlert(message);
    }

    /** Returns the explanation of a handshake that the server has ended, with its alert. */
    private static ConnectFailure ofAlert(String message) {
        if (message.contains("certificate_required")) {
            return ConnectFailure.lasting("the server requires a certificate of this client; " + GIVE_CERTIFICATE);
        } else if (IS_REFUSED_CERTIFICATE.test(message)) {
            return ConnectFailure.lasting("the server refuses the certificate of this client (" + message
                    + "); give one that an authority of the server has signed, and its key");
        }
        String remedy = message.contains("handshake_failure")
                ? "; both must allow a common version of TLS; if the server requires a certificate of this client, "
                        + GIVE_CERTIFICATE
                : "";
        return handshake("failed (" + message + ")" + remedy);
    }

    /** Returns the explanation of a server that does not speak the TLS that its address requests. */
    public static ConnectFailure answersWithoutTls() {
        return ConnectFailure.lasting(
                "no TLS with this server (it answers without TLS); write redis:// in its address");
    }

    /** Returns the explanation of a server that speaks the TLS that its address does not request. */
    public static ConnectFailure requiresTls() {
        return ConnectFailure.lasting("the server requires TLS; write rediss:// in its address");
    }

    /** Returns the explanation of a connection without a reply. */
    public static ConnectFailure silent() {
        return ConnectFailure.passing("the server accepts the connection but does not answer");
    }

    /**
     * Returns the explanation of a connection that the server closed at once, perhaps with an error that the client
     * lost.
     */
    public static ConnectFailure endedAtOnce() {
        return ConnectFailure.passing("the server ended the connection at once; write rediss:// if it speaks TLS, and"
                + " check the password, the server's maxclients, and " + BEHIND_PROXY);
    }

    private static String firstLine(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : ServerText.line(message);
    }
}
