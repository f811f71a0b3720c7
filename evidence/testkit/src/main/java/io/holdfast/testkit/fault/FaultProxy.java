package io.holdfast.testkit.fault;

import static io.holdfast.servers.Eventually.eventually;

import io.holdfast.servers.FreePorts;
import io.holdfast.servers.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A proxy that makes the network fail on command: it listens on a loopback port and passes bytes to a server and back.
 *
 * <p>The proxy is in one mode at a time, initially {@link #pass}. Each call of {@code pass}, {@code delay}, {@code
 * hold} and {@code refuse} replaces the mode, also for open connections. {@link #drop} ends connections and keeps the
 * mode. In every mode, bytes arrive in the order in which they were sent. Methods may be called from any thread.
 */
public final class FaultProxy implements AutoCloseable {

    private static final int CONNECT_TIMEOUT_MILLIS = 60_000;
    private static final int PORT_ATTEMPTS = 5;

    private volatile URI target;
    private final FaultSwitch faults = new FaultSwitch();
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private final int port;
    private ServerSocket listener;
    private Thread acceptor;
    private volatile boolean closed;

    private FaultProxy(URI target, ServerSocket listener) {
        this.target = target;
        this.listener = listener;
        this.port = listener.getLocalPort();
        this.acceptor = acceptor(listener);
    }

    /** Starts a proxy for the server at this address, such as {@link RedisServer#uri()}; the server may start later. */
    public static FaultProxy to(URI target) {
        FaultProxy proxy = new FaultProxy(target, listenOnFreePort());
        proxy.acceptor.start();
        return proxy;
    }

    /** Returns the address for clients: the target's address with the port of the proxy. */
    public URI uri() {
        String user = target.getRawUserInfo() == null ? "" : target.getRawUserInfo() + "@";
        return URI.create(target.getScheme() + "://" + user + "127.0.0.1:" + port);
    }

    public int port() {
        return port;
    }

    /** Returns the number of open connections. */
    public int connections() {
        return connections.size();
    }

    /** Returns the number of bytes that have arrived and were not passed on, in both directions. */
    public long waitingBytes() {
        return connections.stream().mapToLong(ProxiedConnection::waitingBytes).sum();
    }

    /** Passes all bytes on immediately, held ones first, and accepts connections. */
    public void pass() {
        switchTo(Duration.ZERO, Set.of(), false);
    }

    /** Passes all bytes on after the delay, in each direction. */
    public void delay(Duration delay) {
        switchTo(delay, Set.of(), false);
    }

    /** Accepts connections and bytes, and passes nothing on, not even the end of a connection. */
    public void hold() {
        switchTo(Duration.ZERO, EnumSet.allOf(Direction.class), false);
    }

    /**
     * Passes nothing on in one direction: with {@link Direction#REPLIES} the server processes requests whose replies
     * are held.
     */
    public void hold(Direction direction) {
        switchTo(Duration.ZERO, Set.of(direction), false);
    }

    /** Resets each connection at its first reply: the server processes the request, and the reply is lost. */
    public void sever() {
        switchTo(Duration.ZERO, Set.of(), true);
    }

    /** Refuses new connections, as a host without a listening process does; open connections pass bytes. */
    public synchronized void refuse() {
        faults.set(Duration.ZERO, Set.of(), false);
        stopListening();
    }

    /** Connects new connections to another server, as a name does that has moved; open connections stay. */
    public void lead(URI newTarget) {
        target = newTarget;
    }

    /**
     * Ends all open connections on both sides and discards held bytes. New connections are handled as the mode says.
     */
    public void drop(ConnectionEnd how) {
        connections.forEach(connection -> connection.end(how));
    }

    /** Ends all connections and refuses new ones permanently. */
    @Override
    public synchronized void close() {
        closed = true;
        stopListening();
        drop(ConnectionEnd.CLOSE);
    }

    private synchronized void switchTo(Duration delay, Set<Direction> held, boolean severs) {
        faults.set(delay, held, severs);
        if (listener.isClosed() && !closed) {
            // A process that was started meanwhile may have inherited the old listener, for some milliseconds.
            eventually("the port of the proxy is free again", () -> {
                listener = FreePorts.listen(port);
                return true;
            });
            acceptor = acceptor(listener);
            acceptor.start();
        }
    }

    private Thread acceptor(ServerSocket from) {
        Thread thread = new Thread(() -> acceptAll(from), "fault-proxy-accept");
        thread.setDaemon(true);
        return thread;
    }

    private void acceptAll(ServerSocket from) {
        try (from) {
            while (!from.isClosed()) {
                connect(from.accept());
            }
        } catch (IOException e) {
            System.getLogger(FaultProxy.class.getName()).log(System.Logger.Level.DEBUG, "Accepts no more", e);
        }
    }

    /**
     * Connects to the server. If that fails, the client's connection is reset, because it has been accepted already.
     */
    private void connect(Socket client) {
        Socket server = new Socket();
        URI to = target;
        try {
            server.connect(new InetSocketAddress(to.getHost(), to.getPort()), CONNECT_TIMEOUT_MILLIS);
            server.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            open(new ProxiedConnection(client, server, faults, connections::remove));
        } catch (IOException unreachable) {
            ProxiedConnection.close(server, ConnectionEnd.CLOSE);
            ProxiedConnection.close(client, ConnectionEnd.RESET);
        }
    }

    private void open(ProxiedConnection connection) {
        connections.add(connection);
        connection.start();
        if (closed) {
            connection.end(ConnectionEnd.CLOSE);
        }
    }

    /**
     * Stops listening and waits for the accepting thread, since the system accepts for a closed socket until that
     * thread ends.
     */
    private void stopListening() {
        try {
            listener.close();
            acceptor.join(CONNECT_TIMEOUT_MILLIS);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot stop listening on port " + port, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ServerSocket listenOnFreePort() {
        for (int attempt = 1; ; attempt++) {
            try {
                return FreePorts.listen(FreePorts.next());
            } catch (IOException taken) {
                if (attempt == PORT_ATTEMPTS) {
                    throw new UncheckedIOException("No free port after " + PORT_ATTEMPTS + " attempts", taken);
                }
            }
        }
    }
}
