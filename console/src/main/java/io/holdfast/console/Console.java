package io.holdfast.console;

import io.holdfast.Holdfast;
import io.holdfast.admin.LockAdmin;
import io.holdfast.console.json.Json;
import io.holdfast.console.view.Board;
import io.holdfast.console.view.Viewer;
import io.holdfast.node.Majority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A console: the page, and the data that it shows. Each answer is made by {@link #handle}, so a server of any kind can
 * serve it. {@link ConsoleServer} is the server of the JDK, with a stream of events.
 *
 * <p>One thread reads the locks and another one the jobs, however many viewers look, and neither without a viewer.
 * Thread-safe.
 */
public final class Console implements AutoCloseable {

    /** The most streams of events at a time. */
    static final int MOST_VIEWERS = 100;

    private static final Duration LOOK = Duration.ofSeconds(10);

    private final Board board;
    private final ConsoleActions actions;

    private Console(Board board, ConsoleActions actions) {
        this.board = board;
        this.actions = actions;
    }

    /** Creates a console that shows the locks of this client's nodes. Closing it does not close the client. */
    public static Console of(Holdfast holdfast, ConsoleOptions options) {
        return of(holdfast, options, LOOK);
    }

    /** Creates a console that goes on reading for this time after the last request. */
    static Console of(Holdfast holdfast, ConsoleOptions options, Duration look) {
        LockAdmin admin = holdfast.admin();
        int nodes = holdfast.nodes().size();
        Map<String, Object> source = Json.fields(
                "mayBreak", options.mayBreak(),
                "mayAdmit", options.mayAdmit(),
                "demo", options.demo().isPresent(),
                "source", Json.fields("name", options.name(), "nodes", nodes, "majority", Majority.of(nodes)));
        Board board = new Board(
                admin,
                source,
                parts -> options.demo().map(demo -> with(demo, parts)).orElse(parts),
                look);
        return new Console(board, new ConsoleActions(admin, options, board));
    }

    private static Map<String, Object> with(ConsoleDemo demo, Map<String, Object> parts) {
        Map<String, String> servers = demo.servers();
        List<Object> nodes = new ArrayList<>();
        for (Object node : (List<?>) Objects.requireNonNull(parts.get("nodes"))) {
            Map<String, Object> row = new LinkedHashMap<>();
            ((Map<?, ?>) node).forEach((name, value) -> row.put(String.valueOf(name), value));
            row.put("demo", servers.getOrDefault(String.valueOf(row.get("name")), "running"));
            nodes.add(row);
        }
        parts.put("nodes", nodes);
        parts.put(
                "demoClients",
                demo.clients().stream()
                        .map(client -> Json.fields("id", client.id(), "name", client.name(), "state", client.state()))
                        .toList());
        return parts;
    }

    /**
     * Answers a request. Blocks until the nodes have answered, at most for some seconds. Does not know who may look:
     * that is decided before.
     */
    public ConsoleResponse handle(ConsoleRequest request) {
        if (request.body().length() > ConsoleRequest.LARGEST_BODY) {
            return ConsoleResponse.problem(413, "Too large", "a body has at most 16,384 bytes");
        }
        try {
            return switch (request.method()) {
                case "GET", "HEAD" -> get(request);
                case "POST" -> actions.post(request);
                default ->
                    ConsoleResponse.problem(405, "Method not allowed", "use GET or POST")
                            .with("Allow", "GET, HEAD, POST");
            };
        } catch (IllegalArgumentException wrong) {
            return ConsoleResponse.problem(400, "Bad request", String.valueOf(wrong.getMessage()));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return ConsoleResponse.problem(503, "Closed", "the console is being closed");
        }
    }

    private ConsoleResponse get(ConsoleRequest request) throws InterruptedException {
        return switch (request.path()) {
            case "api/overview" -> overview(request);
            case "api/lock" -> lock(request);
            case "api/openapi.json" -> PageFiles.description();
            // The server of an application has no stream of events, and the page asks for overviews then.
            case "api/events" -> ConsoleResponse.empty(204);
            default ->
                PageFiles.find(request.path())
                        .orElseGet(() -> ConsoleResponse.problem(404, "Not found", "there is no such page"));
        };
    }

    private ConsoleResponse overview(ConsoleRequest request) throws InterruptedException {
        return board.overview()
                .map(overview -> {
                    long now = System.currentTimeMillis();
                    String tag = "\"" + overview.version() + "\"";
                    boolean isKnown =
                            request.header("If-None-Match").filter(tag::equals).isPresent();
                    return (isKnown ? ConsoleResponse.empty(304) : ConsoleResponse.json(overview.json(now)))
                            .with("ETag", tag)
                            .with("X-Holdfast-Time", Long.toString(now));
                })
                .orElseGet(() -> ConsoleResponse.problem(503, "Not read yet", "the nodes have not answered yet"));
    }

    private ConsoleResponse lock(ConsoleRequest request) {
        String name = request.query().get("name");
        if (name == null) {
            throw new IllegalArgumentException("the parameter name is missing");
        }
        return ConsoleResponse.json(Json.object(board.lock(name)));
    }

    /** Returns a viewer of the stream of events; empty if there are too many. */
    Optional<Viewer> open() {
        return board.open(MOST_VIEWERS);
    }

    /** Ends the reading, and each stream of events. */
    @Override
    public void close() {
        board.close();
    }
}
