package io.holdfast.jedis;

import io.holdfast.time.Time;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Makes the socket of one connection. Reads from it are limited to what a server may reply, and it is closed if the
 * handshake does not end in time: the timeouts of Jedis apply to single reads, which a hostile server can repeat.
 */
final class LimitedSockets extends DefaultJedisSocketFactory {

    /** The time after the connect timeout when the handshake is considered endless. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Duration limit;
    private final Time time;
    private @Nullable Socket made;
    private Time.@Nullable Timer timer;

    LimitedSockets(HostAndPort server, JedisClientConfig config, Time time) {
        super(server, config);
        this.limit = Duration.ofMillis(config.getSocketTimeoutMillis()).plus(GRACE);
        this.time = time;
    }

    @Override
    public Socket createSocket() {
        Socket connected = super.createSocket();
        Socket socket = new LimitedSocket(connected);
        made = socket;
        timer = time.schedule(limit, () -> end(socket));
        if (connected instanceof SSLSocket tls) {
            secure(tls);
        }
        return socket;
    }

    /** If the first command began the TLS handshake, Jedis would wait for a silent server twice. */
    private static void secure(SSLSocket tls) {
        try {
            tls.startHandshake();
        } catch (IOException e) {
            throw new JedisConnectionException("Failed to make a TLS connection", e);
        }
    }

    /** Ends the limit of the handshake. */
    void handshakeEnded() {
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Closes the socket of a connection that has failed; Jedis does so after exceptions of its own only. */
    void handshakeFailed() {
        if (made != null) {
            end(made);
        }
    }

    /** Closes a socket, so that a thread that reads from it continues. */
    static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // The read that waits for the server fails in any case.
        }
    }
}
