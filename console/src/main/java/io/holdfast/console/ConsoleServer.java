package io.holdfast.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.holdfast.console.view.Viewer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Serves a console with the HTTP server of the JDK. A stream of events has a thread of its own. A client that keeps a
 * thread waiting, for the rest of a request or until it receives an answer, is dropped. Thread-safe.
 */
public final class ConsoleServer implements AutoCloseable {

    private static final int MOST_REQUESTS = 32;
    private static final long ALIVE_MILLIS = 5_000;

    /** A client for which a thread has waited so long is dropped. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Console console;
    private final HttpServer server;
    private final Access access;
    private final String user;
    private final RequestThreads threads;

    private ConsoleServer(Console console, HttpServer server, Access access, String user, Duration patience) {
        this.console = console;
        this.server = server;
        this.access = access;
        this.user = user;
        this.threads = new RequestThreads(Console.MOST_VIEWERS + MOST_REQUESTS, patience);
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
        return start(console, address, token, user, PATIENCE);
    }

    static ConsoleServer start(
            Console console, InetSocketAddress address, Optional<String> token, String user, Duration patience)
            throws IOException {
        InetAddress host = address.getAddress();
        requireToken(host != null && host.isLoopbackAddress(), token);
        HttpServer server = HttpServer.create(address, 0);
        Access access = new Access(token, server.getAddress());
        ConsoleServer started = new ConsoleServer(console, server, access, user, patience);
        server.setExecutor(started.threads);
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
        return URI.create(address
                + access.token()
                        .map(token -> "?token=" + URLEncoder.encode(token, StandardCharsets.UTF_8))
                        .orElse(""));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            answer(exchange);
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try {
            ConsoleRequest head = head(exchange);
            Optional<ConsoleResponse> refusal = access.refusal(head);
            if (refusal.isPresent()) {
                send(exchange, refusal.get());
            } else if (head.path().equals("api/events") && head.method().equals("GET")) {
                stream(exchange);
            } else {
                ConsoleRequest request = withBody(head, exchange);
                threads.transfer().end();
                send(exchange, console.handle(request));
            }
        } finally {
            // To close the exchange is to read the rest of the request.
            threads.transfer().begin();
        }
    }

    private ConsoleRequest head(HttpExchange exchange) {
        Map<String, String> headers = new HashMap<>();
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, String.join("; ", values)));
        return new ConsoleRequest(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getPath().substring(1),
                query(exchange.getRequestURI().getRawQuery()),
                headers,
                "",
                user + " (" + exchange.getRemoteAddress().getAddress().getHostAddress() + ")");
    }

    private static ConsoleRequest withBody(ConsoleRequest head, HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(ConsoleRequest.LARGEST_BODY + 1);
        return new ConsoleRequest(
                head.method(),
                head.path(),
                head.query(),
                head.headers(),
                new String(body, StandardCharsets.UTF_8),
                head.user());
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

    private void send(HttpExchange exchange, ConsoleResponse response) throws IOException {
        response.headers().forEach(exchange.getResponseHeaders()::set);
        byte[] body = response.body();
        threads.transfer().begin();
        boolean hasBody = body.length > 0 && !exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(response.status(), hasBody ? body.length : -1);
        if (hasBody) {
            threads.transfer().write(exchange.getResponseBody(), body);
        }
    }

    private void stream(HttpExchange exchange) throws IOException {
        Optional<Viewer> opened = console.open();
        if (opened.isEmpty()) {
            send(exchange, ConsoleResponse.problem(503, "Too many viewers", "close a page, and open this one again"));
            return;
        }
        Transfer transfer = threads.transfer();
        try (Viewer viewer = opened.get()) {
            ConsoleResponse.of(200, "text/event-stream", new byte[0])
                    .headers()
                    .forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            transfer.end();
            for (Optional<String> events = viewer.next(ALIVE_MILLIS);
                    events.isPresent();
                    events = viewer.next(ALIVE_MILLIS)) {
                transfer.write(out, events.get().getBytes(StandardCharsets.UTF_8));
                transfer.end();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends each request and each stream of events, and the threads that serve them. Does not close the console. */
    @Override
    public void close() {
        server.stop(0);
        try {
            threads.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
