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
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;

/**
 * A server on a free port of this machine that accepts connections and replies what it was given for each command.
 * {@link #random} replies honestly for a while, and anything afterwards. Thread-safe.
 */
public final class HostileServer implements AutoCloseable {

    private static final String INFO = """
            run_id:0123456789012345678901234567890123456789
            role:master
            redis_version:8.0.0
            master_replid2:0000000000000000000000000000000000000000
            maxmemory:0
            maxmemory_policy:noeviction
            cluster_enabled:0
            """;
    private static final String HELLO = "%7\r\n" + bulk("server") + bulk("redis") + bulk("version") + bulk("8.0.0")
            + bulk("proto") + ":3\r\n" + bulk("id") + ":1\r\n" + bulk("mode") + bulk("standalone") + bulk("role")
            + bulk("master") + bulk("modules") + "*0\r\n";

    private static final Duration BETWEEN_DROPS = Duration.ofMillis(50);

    private final ServerSocket listener;
    private final BiFunction<Integer, List<String>, HostileBytes.Sent> replies;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong longestReply = new AtomicLong();

    private HostileServer(BiFunction<Integer, List<String>, HostileBytes.Sent> replies) {
        this.replies = replies;
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start("hostile-accept", this::accept);
    }

    /**
     * Starts a server whose replies follow from the seed: honest ones to some commands of each connection, then any.
     */
    public static HostileServer random(long seed) {
        Random random = new Random(seed);
        HostileBytes bytes = new HostileBytes(random);
        int honestCommands = random.nextInt(12);
        double honest = random.nextDouble();
        return new HostileServer((index, command) -> {
            synchronized (random) {
                byte[] reply = honest(command);
                return index < honestCommands || random.nextDouble() < honest
                        ? HostileBytes.once(reply, false)
                        : bytes.insteadOf(reply);
            }
        });
    }

    /**
     * Starts a server that is honest until it receives this command, and then sends these bytes, the last without end:
     * slowly if that is one byte.
     */
    public static HostileServer replying(String command, byte[] once, byte[] endless) {
        return new HostileServer((index, words) -> words.get(0).equalsIgnoreCase(command)
                ? new HostileBytes.Sent(once, endless, false)
                : HostileBytes.once(honest(words), false));
    }

    private static byte[] honest(List<String> command) {
        String reply = switch (command.get(0).toUpperCase(Locale.ROOT)) {
            case "HELLO" -> HELLO;
            case "INFO" -> bulk(INFO);
            case "EVAL", "EVALSHA" -> "*1\r\n" + bulk("granted");
            case "SUBSCRIBE" -> ">3\r\n" + bulk("subscribe") + bulk(command.get(1)) + ":1\r\n";
            case "TIME" -> "*2\r\n" + bulk("1700000000") + bulk("1");
            case "SCAN" -> "*2\r\n" + bulk("0") + "*0\r\n";
            case "GET" -> "_\r\n";
            case "MGET" -> "*" + (command.size() - 1) + "\r\n" + "_\r\n".repeat(command.size() - 1);
            case "ZRANGE" -> "*0\r\n";
            case "PTTL" -> ":-2\r\n";
            default -> "+OK\r\n";
        };
        return reply.getBytes(StandardCharsets.UTF_8);
    }

    private static String bulk(String text) {
        return HostileBytes.bulk(text);
    }

    /** Returns the address of the server. */
    public URI uri() {
        return URI.create("redis://127.0.0.1:" + listener.getLocalPort());
    }

    /** Returns the number of connections that are open now. */
    public int openConnections() {
        return connections.size();
    }

    /** Returns the number of connections that were opened. */
    public long acceptedConnections() {
        return accepted.get();
    }

    /** Returns how many bytes of one reply were sent at most before the client ended the connection. */
    public long longestReply() {
        return longestReply.get();
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                accepted.incrementAndGet();
                connections.add(socket);
                start("hostile-connection", () -> serve(socket));
            }
        } catch (IOException closed) {
            connections.forEach(HostileServer::end);
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            for (int index = 0; true; index++) {
                HostileBytes.Sent sent = replies.apply(index, Commands.read(in));
                send(out, sent);
                if (sent.ends()) {
                    return;
                }
            }
        } catch (IOException ended) {
            // The client has closed the connection, as it should.
        } finally {
            connections.remove(socket);
        }
    }

    private void send(OutputStream out, HostileBytes.Sent sent) throws IOException {
        out.write(sent.once());
        out.flush();
        byte[] endless = sent.endless();
        for (long bytes = sent.once().length; endless.length > 0; bytes += endless.length) {
            out.write(endless);
            if (endless.length == 1) {
                LockSupport.parkNanos(BETWEEN_DROPS.toNanos());
            }
            longestReply.accumulateAndGet(bytes, Math::max);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed in any case.
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connections.forEach(HostileServer::end);
    }
}
