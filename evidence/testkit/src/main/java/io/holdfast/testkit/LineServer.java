package io.holdfast.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** Answers lines of other processes on this machine, each by one line. Each connection has a thread of its own. */
public final class LineServer implements AutoCloseable {

    private static final int BACKLOG = 50;

    private final ServerSocket listener;

    /** One connection, used by its thread only. */
    public interface Session {

        /** Returns the answer to a line. */
        String answer(String line) throws InterruptedException;

        /** Called when the connection has ended, as it does when the other process is killed. */
        void end();
    }

    private LineServer(ServerSocket listener) {
        this.listener = listener;
    }

    /** Starts a server on a free port. */
    public static LineServer start(Supplier<? extends Session> sessions) throws IOException {
        LineServer server = new LineServer(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()));
        daemon("line-server", () -> server.acceptAll(sessions));
        return server;
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void acceptAll(Supplier<? extends Session> sessions) {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                daemon("line-server-connection", () -> serve(client, sessions.get()));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void serve(Socket socket, Session session) {
        try (socket) {
            socket.setTcpNoDelay(true);
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = socket.getOutputStream();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.write((session.answer(line) + "\n").getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException ended) {
            // The other process was killed.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        session.end();
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
