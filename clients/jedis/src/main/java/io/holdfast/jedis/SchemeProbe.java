package io.holdfast.jedis;

import io.holdfast.time.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.HostAndPort;

/**
 * Finds out whether an address has the wrong scheme, or why a server ends connections with TLS: both look like outages.
 * Sends no password.
 */
final class SchemeProbe {

    /** A slower server counts as one that may be down; the next attempt to connect probes again. */
    private static final int LIMIT_MILLIS = 1_000;

    /** The longest time of a handshake: the limit above applies to single reads, which a hostile server can repeat. */
    private static final Duration HANDSHAKE_LIMIT = Duration.ofSeconds(2);

    private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);

    private SchemeProbe() {}

    /** Returns {@code true} if the server answers a command without TLS. */
    static boolean answersWithoutTls(HostAndPort server) {
        try (Socket socket = connect(server)) {
            socket.getOutputStream().write(PING);
            int first = socket.getInputStream().read();
            return first == '+' || first == '-';
        } catch (IOException silent) {
            return false;
        }
    }

    /** Returns {@code true} if the server takes part in a TLS handshake, however that ends. */
    static boolean speaksTls(HostAndPort server, Time time) {
        IOException failure = handshakeFailure(server, null, time, false);
        if (failure instanceof SSLException answer) {
            return String.valueOf(answer.getMessage()).matches("(?s).*(PKIX|fatal alert).*");
        }
        return failure == null;
    }

    /**
     * Returns the alert by which the server ends a connection with TLS, or null. With TLS 1.3, a server checks the
     * certificate of a client when the handshake is over for that, whose first command may fail before the alert is
     * read. So this only reads.
     *
     * @param factory with the certificate of the client; null: the one of the JVM
     */
    static @Nullable SSLException alert(HostAndPort server, @Nullable SSLSocketFactory factory, Time time) {
        return handshakeFailure(server, factory, time, true) instanceof SSLException alert ? alert : null;
    }

    /** Returns why a handshake, or the reading after it, fails within its limit; null if it succeeds. */
    private static @Nullable IOException handshakeFailure(
            HostAndPort server, @Nullable SSLSocketFactory factory, Time time, boolean reads) {
        SSLSocketFactory used = factory == null ? (SSLSocketFactory) SSLSocketFactory.getDefault() : factory;
        try (Socket plain = connect(server)) {
            Time.Timer limit = time.schedule(HANDSHAKE_LIMIT, () -> LimitedSockets.end(plain));
            try (SSLSocket socket = (SSLSocket) used.createSocket(plain, server.getHost(), server.getPort(), true)) {
                socket.startHandshake();
                if (reads) {
                    socket.getInputStream().read();
                }
                return null;
            } finally {
                limit.cancel();
            }
        } catch (IOException failure) {
            return failure;
        }
    }

    private static Socket connect(HostAndPort server) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setSoTimeout(LIMIT_MILLIS);
            socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), LIMIT_MILLIS);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
