package io.holdfast.console.browser;

import java.io.IOException;
import java.net.URI;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** One page of a {@link Browser}. */
public final class Tab implements WebSocket.Listener, AutoCloseable {

    private static final Map<String, Integer> KEYS =
            Map.of("Tab", 9, "Enter", 13, "Escape", 27, " ", 32, "ArrowUp", 38, "ArrowDown", 40, "Home", 36, "End", 35);

    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> calls = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final StringBuilder received = new StringBuilder();
    private final CompletableFuture<WebSocket> socket = new CompletableFuture<>();

    private Tab() {}

    static Tab connect(URI address) {
        Tab tab = new Tab();
        tab.socket.complete(
                Browser.HTTP.newWebSocketBuilder().buildAsync(address, tab).join());
        List.of("Page", "Runtime", "Log", "Network").forEach(domain -> tab.call(domain + ".enable", Map.of()));
        return tab;
    }

    /** Goes to an address, and waits until the page has rendered. */
    public void go(URI page) {
        call("Page.navigate", Map.of("url", page.toString()));
        await("document.readyState === 'complete' && location.href !== 'about:blank'");
    }

    /** Sets the size of the window. One that is narrow is that of a phone, with two pixels a point. */
    public void resize(int width, int height) {
        boolean phone = width <= 480;
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", phone ? 2 : 1, "mobile", phone));
    }

    /** Sets a preference of the viewer, such as {@code prefers-color-scheme}. */
    public void prefer(String feature, String value) {
        call("Emulation.setEmulatedMedia", Map.of("features", List.of(Map.of("name", feature, "value", value))));
    }

    /** Returns the value of an expression, or of its promise. */
    public JsonNode evaluate(String expression) {
        JsonNode answer = call(
                "Runtime.evaluate",
                Map.of("expression", expression, "awaitPromise", true, "returnByValue", true, "userGesture", true));
        if (answer.has("exceptionDetails")) {
            throw new AssertionError(expression + ": " + answer.get("exceptionDetails"));
        }
        return answer.get("result").path("value");
    }

    /** Returns the text that an expression has as its value. */
    public String text(String expression) {
        return evaluate("String(" + expression + ")").asString();
    }

    /** Waits until an expression is true. If that takes longer than a test may, says what the page shows instead. */
    public void await(String condition) {
        try {
            evaluate("new Promise(done => { const look = () => { if (" + condition
                    + ") done(true); else setTimeout(look, 20); }; look(); })");
        } catch (IllegalStateException e) {
            String shown = text("document.body.innerText").replaceAll("(?s)(.{1500}).*", "$1…");
            throw new AssertionError(
                    condition + " did not become true; complaints " + complaints + "; shown: " + shown, e);
        }
    }

    /** Presses keys one after the other: {@code Tab}, {@code Enter}, {@code 1}. */
    public void press(String... keys) {
        for (String key : keys) {
            boolean shift = key.startsWith("Shift+");
            String plain = shift ? key.substring("Shift+".length()) : key;
            int code = KEYS.getOrDefault(plain, (int) Character.toUpperCase(plain.charAt(0)));
            String text = plain.equals("Enter") ? "\r" : plain.length() == 1 ? plain : "";
            Map<String, Object> event =
                    Map.of("key", plain, "windowsVirtualKeyCode", code, "text", text, "modifiers", shift ? 8 : 0);
            call("Input.dispatchKeyEvent", with(event, "type", text.isEmpty() ? "rawKeyDown" : "keyDown"));
            call("Input.dispatchKeyEvent", with(event, "type", "keyUp"));
        }
    }

    /** Enters text into the field that has the focus. */
    public void type(String text) {
        call("Input.insertText", Map.of("text", text));
    }

    /** Stores a picture of what is shown. */
    public void picture(Path file) throws IOException {
        String data = call("Page.captureScreenshot", Map.of("format", "png", "optimizeForSpeed", false))
                .get("data")
                .asString();
        Files.write(file, Base64.getDecoder().decode(data));
    }

    /** Returns the errors of scripts, of the security policy and of requests that the page caused so far. */
    public List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** Sends a command of the protocol, and returns the answer. */
    public JsonNode call(String method, Map<String, Object> parameters) {
        int id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        calls.put(id, answer);
        String message = Browser.JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters));
        socket.join().sendText(message, true).join();
        try {
            return answer.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(method + " failed", e);
        }
    }

    /** Closes the page, and with it its connections. */
    @Override
    public void close() {
        if (!socket.join().isOutputClosed()) {
            call("Page.close", Map.of());
            socket.join().abort();
        }
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        received.append(data);
        if (last) {
            JsonNode message = Browser.JSON.readTree(received.toString());
            received.setLength(0);
            if (message.has("id")) {
                answer(calls.remove(message.get("id").asInt()), message);
            } else {
                note(message.get("method").asString(), message.get("params"));
            }
        }
        from.request(1);
        return CompletableFuture.completedFuture(null);
    }

    private static void answer(CompletableFuture<JsonNode> call, JsonNode message) {
        if (message.has("error")) {
            call.completeExceptionally(
                    new IllegalArgumentException(message.get("error").toString()));
        } else {
            call.complete(message.get("result"));
        }
    }

    private void note(String event, JsonNode parameters) {
        boolean bad = switch (event) {
            case "Runtime.exceptionThrown" -> true;
            case "Runtime.consoleAPICalled" ->
                List.of("error", "warning", "assert")
                        .contains(parameters.get("type").asString());
            case "Log.entryAdded" ->
                List.of("error", "warning")
                        .contains(parameters.at("/entry/level").asString());
            default -> false;
        };
        if (bad) {
            complaints.add(event + " " + parameters);
        }
    }

    private static Map<String, Object> with(Map<String, Object> map, String key, Object value) {
        Map<String, Object> copy = new HashMap<>(map);
        copy.put(key, value);
        return copy;
    }
}
