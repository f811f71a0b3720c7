package io.holdfast.servers;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Chooses loopback ports that no process listens on.
 *
 * <p>The ports are below the range that systems use for outgoing connections. Otherwise a reconnecting client could be
 * given its server's port as local port, connect to itself, and keep the server from restarting.
 *
 * <p>Each process reserves a range of ports and uses them in turn. So the port of a killed server stays free until that
 * server restarts, although other servers start at the same time.
 */
public final class FreePorts {

    /**
     * A server of a cluster also listens on the port that is 10,000 above its own, below the outgoing ports as well.
     */
    private static final int FIRST = 10_400;

    private static final int RANGE = 400;
    private static final int RANGES = 24;

    /** A process whose backlog is full does not reply. */
    private static final int CONNECT_TIMEOUT_MILLIS = 1_000;

    private static final FreePorts OURS = reserve();

    /**
     * Listens on the first port of the range until the process ends, which reserves the range; null if none is left.
     */
    private final @Nullable ServerSocket reservation;

    private final int first;
    private final AtomicInteger used = new AtomicInteger();

    private FreePorts(@Nullable ServerSocket reservation, int first) {
        this.reservation = reservation;
        this.first = first;
    }

    /** Reserves a range, or shares one with another process if all are reserved. */
    static FreePorts reserve() {
        int start = ThreadLocalRandom.current().nextInt(RANGES);
        for (int i = 0; i < RANGES; i++) {
            int first = FIRST + (start + i) % RANGES * RANGE;
            try {
                return new FreePorts(listen(first), first);
            } catch (IOException reserved) {
                // The next range may be free.
            }
        }
        return new FreePorts(null, FIRST + start * RANGE);
    }

    /**
     * Returns a free port. It returns other ports first before it returns the same one again.
     *
     * @throws IllegalStateException if no port of this process is free
     */
    public static int next() {
        return OURS.take();
    }

    int take() {
        for (int attempt = 1; attempt < RANGE; attempt++) {
            int port = first + 1 + Math.floorMod(used.getAndIncrement(), RANGE - 1);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("None of the ports from " + first + " to " + (first + RANGE - 1)
                + " is free; stop the servers that earlier tests left running");
    }

    /** Returns whether no other process uses this range. */
    boolean isReserved() {
        return reservation != null;
    }

    /**
     * Returns whether no process listens on this port. To listen here would be no test: a process that this one starts
     * meanwhile inherits the socket, and keeps the port for some milliseconds.
     */
    static boolean isFree(int port) {
        try (Socket probe = new Socket()) {
            probe.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_TIMEOUT_MILLIS);
            return false;
        } catch (ConnectException refused) {
            return true;
        } catch (IOException unknown) {
            return false;
        }
    }

    public static ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}
