package io.holdfast.testkit.fault;

import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A connection of a client and the corresponding connection to the server. */
final class ProxiedConnection {

    private final List<Socket> sockets;
    private final List<Pump> pumps;
    private final AtomicInteger openPumps = new AtomicInteger(2);
    private final Consumer<ProxiedConnection> onEnd;
    private final AtomicBoolean ended = new AtomicBoolean();

    ProxiedConnection(Socket client, Socket server, FaultSwitch faults, Consumer<ProxiedConnection> onEnd) {
        this.sockets = List.of(client, server);
        this.pumps = List.of(
                new Pump(Direction.REQUESTS, client, server, faults, this::sever, this::pumpEnded),
                new Pump(Direction.REPLIES, server, client, faults, this::sever, this::pumpEnded));
        this.onEnd = onEnd;
    }

    void start() {
        pumps.forEach(Pump::start);
    }

    long waitingBytes() {
        return pumps.stream().mapToLong(Pump::waitingBytes).sum();
    }

    /** Ends both connections immediately; held bytes are lost. */
    void end(ConnectionEnd how) {
        if (ended.compareAndSet(false, true)) {
            onEnd.accept(this);
            // The sockets are closed first, because a pump that stops closes the connection in an orderly way.
            sockets.forEach(socket -> close(socket, how));
            pumps.forEach(Pump::stop);
        }
    }

    private void sever() {
        end(ConnectionEnd.RESET);
    }

    private void pumpEnded() {
        if (openPumps.decrementAndGet() == 0) {
            end(ConnectionEnd.CLOSE);
        }
    }

    static void close(Socket socket, ConnectionEnd how) {
        try (socket) {
            if (how == ConnectionEnd.RESET) {
                socket.setSoLinger(true, 0);
            }
        } catch (IOException gone) {
            System.getLogger(ProxiedConnection.class.getName()).log(System.Logger.Level.DEBUG, "Already closed", gone);
        }
    }
}
