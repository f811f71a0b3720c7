package io.holdfast.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Chooses loopback ports that no process listens on.
 *
 * <p>The ports are below the range that systems use for outgoing connections. Otherwise a reconnecting client could be
 * given its server's port as local port, connect to itself, and keep the server from restarting.
 */
public final class FreePorts {

    private static final int FIRST = 20_000;
    private static final int END = 32_000;
    private static final int ATTEMPTS = 200;

    private FreePorts() {}

    public static int next() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("None of " + ATTEMPTS + " ports from " + FIRST + " to " + END
                + " is free; stop the servers that earlier tests left running");
    }

    private static boolean isFree(int port) {
        try (ServerSocket probe = listen(port)) {
            return probe.isBound();
        } catch (IOException taken) {
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
