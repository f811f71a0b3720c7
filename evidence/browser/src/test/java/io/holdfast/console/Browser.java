package io.holdfast.console;

import io.holdfast.console.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A viewer of a console, who keeps all that it receives. */
final class Browser {

    private final URI page;
    private final HttpClient client = HttpClient.newHttpClient();
    /** All lines of all answers, with their headers. */
    private final List<String> received = new CopyOnWriteArrayList<>();

    Browser(URI page) {
        this.page = page;
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(page.resolve(path));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
        received.add(response.headers().map() + response.body());
        return response;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    HttpResponse<String> lock(String name) throws IOException, InterruptedException {
        return get("api/lock?name=" + URLEncoder.encode(name, StandardCharsets.UTF_8));
    }

    HttpRequest.Builder post(String path, Object... fields) {
        return request(path)
                .header("Content-Type", "application/json")
                .header("X-Holdfast-Console", "1")
                .POST(HttpRequest.BodyPublishers.ofString(Json.object(Json.fields(fields))));
    }

    /** Opens a stream of events, and returns its lines, to which each event is added. */
    List<String> events() {
        List<String> lines = new CopyOnWriteArrayList<>();
        client.sendAsync(request("api/events").build(), BodyHandlers.ofLines())
                .thenAccept(response -> response.body().forEach(line -> {
                    lines.add(line);
                    received.add(line);
                }));
        return lines;
    }

    List<String> received() {
        return received;
    }
}
