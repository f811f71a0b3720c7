package io.holdfast.testkit.hostile;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;

/**
 * A proxy that changes the replies of a real server to one command, as a proxy, a service or another product may, and
 * passes all others on. Thread-safe.
 */
public final class RewritingProxy implements AutoCloseable {

    /** The confirmation of this command arrives as a message and not as a reply. */
    private static final String SUBSCRIBE = "SUBSCRIBE";

    private final URI server;
    private final String command;
    private final UnaryOperator<ServerReply> change;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private RewritingProxy(URI server, String command, UnaryOperator<ServerReply> change) {
        this.server = server;
        this.command = command;
        this.change = change;
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    /** Starts a proxy that changes each reply to this command, such as {@code INFO}. */
    public static RewritingProxy to(URI server, String command, UnaryOperator<ServerReply> change) {
        return new RewritingProxy(server, command, change);
    }

    /** Returns the address for clients. */
    public URI uri() {
        return URI.create("redis://127.0.0.1:" + port());
    }

    /** Returns the port for clients. */
    public int port() {
        return listener.getLocalPort();
    }

    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    private void start(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException ended) {
                        // One side has closed the connection.
                    } catch (InterruptedException never) {
                        Thread.currentThread().interrupt();
                    }
                },
                "rewriting-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            sockets.add(client);
            Socket real = new Socket(server.getHost(), server.getPort());
            sockets.add(real);
            BlockingQueue<String> commands = new LinkedBlockingQueue<>();
            start(() -> passCommands(client, real, commands));
            start(() -> passReplies(real, client, commands));
        }
    }

    private void passCommands(Socket client, Socket real, BlockingQueue<String> commands) throws IOException {
        try (client;
                real) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            OutputStream out = real.getOutputStream();
            while (true) {
                List<String> words = Commands.read(in);
                if (!words.get(0).equalsIgnoreCase(SUBSCRIBE)) {
                    commands.add(words.get(0));
                }
                ServerReply sent = new ServerReply(
                        '*', "", words.stream().map(RewritingProxy::argument).toList());
                out.write(sent.bytes());
            }
        }
    }

    private static ServerReply argument(String word) {
        return ServerReply.text(new String(word.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
    }

    private void passReplies(Socket real, Socket client, BlockingQueue<String> commands)
            throws IOException, InterruptedException {
        try (client;
                real) {
            InputStream in = new BufferedInputStream(real.getInputStream());
            OutputStream out = client.getOutputStream();
            while (true) {
                ServerReply reply = ServerReply.read(in);
                boolean isChanged =
                        reply.type() != '>' && commands.take().equalsIgnoreCase(command) && reply.type() != '-';
                out.write((isChanged ? change.apply(reply) : reply).bytes());
            }
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
