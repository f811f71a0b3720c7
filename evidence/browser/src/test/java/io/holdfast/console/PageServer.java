package io.holdfast.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.holdfast.console.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Serves the page with a state that a test chooses, as the console does with that of the nodes. */
public final class PageServer implements AutoCloseable {

    private static final String EVENTS_END = "";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<BlockingQueue<String>> viewers = new CopyOnWriteArrayList<>();
    private final List<String> commands = new CopyOnWriteArrayList<>();
    private final List<String> askedLocks = new CopyOnWriteArrayList<>();
    /** The events since the state was shown. */
    private final List<String> sent = new ArrayList<>();

    private volatile Map<String, Object> overview;
    private volatile boolean events = true;
    private volatile boolean gone;
    private volatile boolean silent;
    private volatile long time = Samples.NOW;
    private volatile CompletableFuture<Void> commandsWait = CompletableFuture.completedFuture(null);
    private final AtomicInteger streams = new AtomicInteger();
    private volatile ConsoleResponse commandAnswer = ConsoleResponse.json("{}");

    private PageServer(HttpServer server, Map<String, Object> overview) {
        this.server = server;
        this.overview = overview;
    }

    /** Starts a server that shows this state. */
    public static PageServer start(Map<String, Object> overview) throws IOException {
        PageServer page = new PageServer(
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0), overview);
        page.server.setExecutor(page.threads);
        page.server.createContext("/", page::handle);
        page.server.start();
        return page;
    }

    /** Returns the address of the page, with this hash. */
    public URI address(String hash) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + hash);
    }

    /** Shows another state. */
    public synchronized void show(Map<String, Object> state) {
        overview = state;
        sent.clear();
        viewers.forEach(viewer -> viewer.add(event("overview", state)));
    }

    /** Sends an event to all viewers, and to those that connect again: a slow page replaces a connection. */
    public synchronized void send(String event, Map<String, Object> data) {
        String text = event(event, data);
        sent.add(text);
        viewers.forEach(viewer -> viewer.add(text));
    }

    private static String event(String name, Map<String, Object> data) {
        return "event: " + name + "\ndata: " + Json.object(data) + "\n\n";
    }

    private synchronized void begin(BlockingQueue<String> viewer) {
        viewers.add(viewer);
        if (!silent) {
            viewer.add(event("overview", overview));
            viewer.addAll(sent);
        }
    }

    /** Says whether there are events. If not, those that are open end, and the page has to ask. */
    public void setEvents(boolean offered) {
        events = offered;
        if (!offered) {
            viewers.forEach(viewer -> viewer.add(EVENTS_END));
        }
    }

    /** Says whether the console is gone: then connections end without an answer. */
    public void setGone(boolean now) {
        gone = now;
        if (now) {
            viewers.forEach(viewer -> viewer.add(EVENTS_END));
        }
    }

    /** Says whether the console accepts connections and then sends nothing. */
    public void setSilent(boolean now) {
        silent = now;
    }

    /** Sets the time at which an answer without events is sent. */
    public void setTime(long now) {
        time = now;
    }

    /** Returns how many event streams were opened so far. */
    public int streams() {
        return streams.get();
    }

    /** Lets commands wait, until the result is completed. */
    public void holdCommands(CompletableFuture<Void> until) {
        commandsWait = until;
    }

    /** Refuses all commands from now on. */
    public void refuseCommands(int status, String title, String detail) {
        commandAnswer = ConsoleResponse.problem(status, title, detail);
    }

    /** Returns the commands so far, each as its path and its body. */
    public List<String> commands() {
        return List.copyOf(commands);
    }

    /** Returns the names of the locks whose detail was asked for. */
    public List<String> askedLocks() {
        return List.copyOf(askedLocks);
    }

    @Override
    public void close() {
        setEvents(false);
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (gone) {
                return;
            }
            String path = exchange.getRequestURI().getPath().substring(1);
            if (path.equals("api/events") && events) {
                stream(exchange);
            } else {
                answer(exchange, response(exchange, path));
            }
        }
    }

    private ConsoleResponse response(HttpExchange exchange, String path) throws IOException {
        if (exchange.getRequestMethod().equals("POST")) {
            commands.add(path + " " + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            commandsWait.join();
            return commandAnswer;
        }
        return switch (path) {
            case "api/overview" -> overview(exchange.getRequestHeaders().getFirst("If-None-Match"));
            case "api/lock" -> lock(exchange.getRequestURI().getRawQuery());
            default -> PageFiles.find(path).orElse(ConsoleResponse.problem(404, "No such page", ""));
        };
    }

    private ConsoleResponse overview(@Nullable String known) {
        String tag = "\"" + overview.get("version") + "\"";
        ConsoleResponse answer =
                tag.equals(known) ? ConsoleResponse.empty(304) : ConsoleResponse.json(Json.object(overview));
        return answer.with("ETag", tag).with("X-Holdfast-Time", Long.toString(time));
    }

    private ConsoleResponse lock(String query) {
        String name = URLDecoder.decode(query.substring("name=".length()), StandardCharsets.UTF_8);
        askedLocks.add(name);
        return ConsoleResponse.json(Json.object(Samples.detail(name, overview)));
    }

    private static void answer(HttpExchange exchange, ConsoleResponse response) throws IOException {
        response.headers().forEach(exchange.getResponseHeaders()::set);
        byte[] body = response.body();
        exchange.sendResponseHeaders(response.status(), body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    private void stream(HttpExchange exchange) throws IOException {
        BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        ConsoleResponse.empty(200).headers().forEach(exchange.getResponseHeaders()::set);
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        streams.incrementAndGet();
        begin(messages);
        exchange.getResponseBody().flush();
        try (OutputStream body = exchange.getResponseBody()) {
            for (String text = messages.take(); !text.equals(EVENTS_END); text = messages.take()) {
                body.write(text.getBytes(StandardCharsets.UTF_8));
                body.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            viewers.remove(messages);
        }
    }
}
