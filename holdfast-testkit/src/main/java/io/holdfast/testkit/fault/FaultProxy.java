package io.holdfast.testkit.fault;

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
 * A network that fails on command: it listens on a loopback port and passes bytes to a server and back.
 *
 * <p>It is in one mode at a time, {@link #pass} at first; each call of {@code pass}, {@code delay}, {@code hold} and
 * {@code refuse} replaces the mode, for open connections too. {@link #drop} ends connections and leaves the mode. Whatever
 * mode it is in, bytes arrive in the order in which they were sent. Methods may be called from any thread.
 */
public final class FaultProxy implements AutoCloseable {

    private static final int CONNECT_TIMEOUT_MILLIS = 2_000;
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

    /** A proxy in front of the server at this address, such as {@link RedisServer#uri()}; the server may start later. */
    public static FaultProxy to(URI target) {
        FaultProxy proxy = new FaultProxy(target, listenAnywhere());
        proxy.acceptor.start();
        return proxy;
    }

    /** The target's address with the port of the proxy: where clients connect to. */
    public URI uri() {
        String user = target.getRawUserInfo() == null ? "" : target.getRawUserInfo() + "@";
        return URI.create(target.getScheme() + "://" + user + "127.0.0.1:" + port);
    }

    public int port() {
        return port;
    }

    /** How many connections are open. */
    public int connections() {
        return connections.size();
    }

    /** How many bytes have arrived and wait here, in both directions. */
    public long waitingBytes() {
        return connections.stream().mapToLong(ProxiedConnection::waitingBytes).sum();
    }

    /** Passes everything on at once, what was held first; accepts connections. */
    public void pass() {
        enter(Duration.ZERO, Set.of(), false);
    }

    /** Passes everything on that much later, each way. */
    public void delay(Duration delay) {
        enter(delay, Set.of(), false);
    }

    /** A black hole: accepts connections and bytes, and passes nothing on, the end of a connection neither. */
    public void hold() {
        enter(Duration.ZERO, EnumSet.allOf(Direction.class), false);
    }

    /** A black hole in one direction: with {@link Direction#REPLIES} the server does what it is asked, unheard. */
    public void hold(Direction direction) {
        enter(Duration.ZERO, Set.of(direction), false);
    }

    /** Resets each connection at the first reply on it: the server does what it is asked, and no answer comes. */
    public void sever() {
        enter(Duration.ZERO, Set.of(), true);
    }

    /** Refuses new connections, as a host does on which nobody listens; open ones pass. */
    public synchronized void refuse() {
        faults.set(Duration.ZERO, Set.of(), false);
        stopListening();
    }

    /** Leads new connections to another server, as a name that has moved does; open ones stay where they are. */
    public void lead(URI newTarget) {
        target = newTarget;
    }

    /** Ends all open connections, on both sides; what waited here is lost. New ones are accepted as the mode says. */
    public void drop(ConnectionEnd how) {
        connections.forEach(connection -> connection.end(how));
    }

    /** Ends all connections and refuses new ones, for good. */
    @Override
    public synchronized void close() {
        closed = true;
        stopListening();
        drop(ConnectionEnd.CLOSE);
    }

    private synchronized void enter(Duration delay, Set<Direction> held, boolean severs) {
        faults.set(delay, held, severs);
        if (listener.isClosed() && !closed) {
            listener = listenOn(port);
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

    /** A client whose server cannot be reached is told by a reset: it has been accepted already. */
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

    /** Until its accepting thread has ended, the system goes on accepting for a socket that is closed. */
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

    private static ServerSocket listenAnywhere() {
        for (int attempt = 1; ; attempt++) {
            try {
                return listenOn(FreePorts.next());
            } catch (UncheckedIOException taken) {
                if (attempt == PORT_ATTEMPTS) {
                    throw taken;
                }
            }
        }
    }

    private static ServerSocket listenOn(int port) {
        try {
            return FreePorts.listen(port);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot listen on port " + port, e);
        }
    }
}
