package io.holdfast.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.holdfast.console.view.Board.Viewer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Serves a console with the HTTP server of the JDK. A stream of events has a thread of its own; a viewer who does not
 * receive them is dropped. Thread-safe.
 */
public final class ConsoleServer implements AutoCloseable {

    private static final int MOST_REQUESTS = 32;
    private static final int MOST_WAITING = 1_000;
    private static final long ALIVE_MILLIS = 5_000;

    private final Console console;
    private final HttpServer server;
    private final Access access;
    private final String user;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
    private final ThreadPoolExecutor executor;

    private ConsoleServer(Console console, HttpServer server, Access access, String user) {
        this.console = console;
        this.server = server;
        this.access = access;
        this.user = user;
        int most = Console.MOST_VIEWERS + MOST_REQUESTS;
        this.executor = new ThreadPoolExecutor(
                most, most, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING), this::thread);
        this.executor.allowCoreThreadTimeOut(true);
    }

    private Thread thread(Runnable task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } finally {
                        threads.remove(Thread.currentThread());
                    }
                },
                "holdfast-console-http");
        thread.setDaemon(true);
        threads.add(thread);
        return thread;
    }

    /**
     * Starts to serve a console.
     *
     * @param address port 0: a free one
     * @param token what a viewer has to know, at least 16 characters; empty if only this machine can reach the address
     * @param user who runs the console, for the record of what a viewer does
     * @throws IOException if the address is taken
     * @throws IllegalArgumentException if others can reach the address, and there is no token, or a short one
     */
    public static ConsoleServer start(Console console, InetSocketAddress address, Optional<String> token, String user)
            throws IOException {
        InetAddress host = address.getAddress();
        boolean isLocal = host != null && host.isLoopbackAddress();
        requireToken(isLocal, token);
        HttpServer server = HttpServer.create(address, 0);
        Access access = new Access(token, isLocal, server.getAddress().getPort());
        ConsoleServer started = new ConsoleServer(console, server, access, user);
        server.setExecutor(started.executor);
        server.createContext("/", started::handle);
        server.start();
        return started;
    }

    private static void requireToken(boolean isLocal, Optional<String> token) {
        int shortest = 16;
        if (!isLocal && token.isEmpty()) {
            throw new IllegalArgumentException("others can reach this address, so a token is needed");
        } else if (token.filter(text -> text.matches("[\\w.~+/=-]{" + shortest + ",}"))
                        .isEmpty()
                && token.isPresent()) {
            throw new IllegalArgumentException(
                    "a token has at least " + shortest + " letters, digits or characters of . _ ~ + / = -");
        }
    }

    /** Returns the address of the page, with the token if there is one. */
    public URI uri() {
        InetSocketAddress bound = server.getAddress();
        String host = bound.getAddress().isAnyLocalAddress()
                ? "localhost"
                : bound.getAddress().getHostAddress();
        String address = "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + bound.getPort() + "/";
        return URI.create(
                address + access.token().map(token -> "?token=" + token).orElse(""));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            ConsoleRequest request = request(exchange);
            Optional<ConsoleResponse> refusal = access.refusal(request);
            if (refusal.isPresent()) {
                send(exchange, refusal.get());
            } else if (request.path().equals("api/events") && request.method().equals("GET")) {
                stream(exchange);
            } else {
                send(exchange, console.handle(request));
            }
        } catch (IllegalArgumentException malformed) {
            send(exchange, ConsoleResponse.problem(400, "Bad request", "the address cannot be read"));
        }
    }

    private ConsoleRequest request(HttpExchange exchange) throws IOException {
        Map<String, String> headers = new HashMap<>();
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, String.join("; ", values)));
        byte[] body = exchange.getRequestBody().readNBytes(ConsoleRequest.LARGEST_BODY + 1);
        return new ConsoleRequest(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getPath().substring(1),
                query(exchange.getRequestURI().getRawQuery()),
                headers,
                new String(body, StandardCharsets.UTF_8),
                user + " (" + exchange.getRemoteAddress().getAddress().getHostAddress() + ")");
    }

    private static Map<String, String> query(@Nullable String raw) {
        Map<String, String> parameters = new HashMap<>();
        for (String part : raw == null ? new String[0] : raw.split("&")) {
            String[] pair = part.split("=", 2);
            parameters.put(
                    URLDecoder.decode(pair[0], StandardCharsets.UTF_8),
                    pair.length < 2 ? "" : URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
        }
        return parameters;
    }

    private static void send(HttpExchange exchange, ConsoleResponse response) throws IOException {
        response.headers().forEach(exchange.getResponseHeaders()::set);
        byte[] body = response.body();
        boolean hasBody = body.length > 0 && !exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(response.status(), hasBody ? body.length : -1);
        if (hasBody) {
            exchange.getResponseBody().write(body);
        }
    }

    private void stream(HttpExchange exchange) throws IOException {
        streams.forEach(EventStream::endIfSlow);
        Optional<Viewer> opened = console.open();
        if (opened.isEmpty()) {
            send(exchange, ConsoleResponse.problem(503, "Too many viewers", "close a page, and open this one again"));
            return;
        }
        EventStream stream = new EventStream(Thread.currentThread());
        streams.add(stream);
        try (Viewer viewer = opened.get()) {
            ConsoleResponse.of(200, "text/event-stream", new byte[0])
                    .headers()
                    .forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            for (Optional<String> events = viewer.next(ALIVE_MILLIS);
                    events.isPresent();
                    events = viewer.next(ALIVE_MILLIS)) {
                stream.write(out, events.get());
                streams.forEach(EventStream::endIfSlow);
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } finally {
            streams.remove(stream);
        }
    }

    /** Ends each request and each stream of events, and the threads that serve them. Does not close the console. */
    @Override
    public void close() {
        executor.shutdownNow();
        server.stop(0);
        try {
            for (Thread thread : List.copyOf(threads)) {
                thread.join(TimeUnit.SECONDS.toMillis(10));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
