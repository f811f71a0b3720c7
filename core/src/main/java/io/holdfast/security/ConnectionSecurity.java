package io.holdfast.security;

import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The security of the connections of one client, as an adapter receives it. Users set it in {@code HoldfastOptions}.
 *
 * @param trustManagers trusted certificates; null: those of the JVM
 * @param keyManagers the certificate of this client; null: none
 * @param hostnameVerification whether the certificate of a server has to name its host
 * @param credentials asked for each connection to a server, on any thread; null: none. An address with a user or a
 *     password of its own takes precedence
 * @param sentinelCredentials asked for each connection to a Sentinel, which does not know the users of the nodes; null:
 *     none
 */
public record ConnectionSecurity(
        @Nullable TrustManagerFactory trustManagers,
        @Nullable KeyManagerFactory keyManagers,
        boolean hostnameVerification,
        @Nullable Supplier<Credentials> credentials,
        @Nullable Supplier<Credentials> sentinelCredentials) {

    /** The certificates that the JVM trusts, verified host names, and no credentials but those of the addresses. */
    public static final ConnectionSecurity DEFAULT = new ConnectionSecurity(null, null, true, null, null);

    /** Returns the security of the connections to Sentinels. */
    public ConnectionSecurity ofSentinels() {
        return new ConnectionSecurity(trustManagers, keyManagers, hostnameVerification, sentinelCredentials, null);
    }

    /**
     * Returns the present credentials of a source.
     *
     * @throws IllegalStateException if the source fails, or returns null, or no user or no password
     */
    public static Credentials current(Supplier<? extends @Nullable Credentials> source) {
        Credentials credentials = ask(source);
        if (credentials == null) {
            throw new IllegalStateException("the credentials source returned null; return a user and a password");
        }
        requirePart(credentials.user(), "user; return an empty one for the default user");
        requirePart(credentials.password(), "password; return one");
        return credentials;
    }

    private static @Nullable Credentials ask(Supplier<? extends @Nullable Credentials> source) {
        try {
            return source.get();
        } catch (RuntimeException | LinkageError e) {
            // Without the cause: who explains the failure of a connection would take it for a failure of the client.
            throw new IllegalStateException("the credentials source failed: " + reason(e));
        }
    }

    private static String reason(Throwable failure) {
        String message = failure.getMessage();
        if (failure instanceof LinkageError) {
            return "it could not load " + message + "; add the library that contains it";
        }
        return message == null ? failure.getClass().getSimpleName() : message;
    }

    private static void requirePart(@Nullable String part, String name) {
        if (part == null) {
            throw new IllegalStateException("the credentials source returned null as the " + name);
        }
    }
}
