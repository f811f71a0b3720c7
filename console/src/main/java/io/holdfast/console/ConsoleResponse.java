package io.holdfast.console;

import io.holdfast.console.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** An answer of the console to a request, with the headers that protect its page. Immutable. */
public final class ConsoleResponse {

    /** The page runs only scripts of its own origin, and no other page can contain it. */
    private static final Map<String, String> PROTECTION = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            "Cache-Control",
            "no-store");

    private static final String CONTENT_TYPE = "Content-Type";

    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;

    private ConsoleResponse(int status, Map<String, String> headers, byte[] body) {
        this.status = status;
        this.headers = Map.copyOf(headers);
        this.body = body;
    }

    static ConsoleResponse of(int status, String type, byte[] body) {
        return empty(status).with(CONTENT_TYPE, type, body);
    }

    static ConsoleResponse empty(int status) {
        return new ConsoleResponse(status, PROTECTION, new byte[0]);
    }

    /** Returns a redirection to another address of this console. */
    public static ConsoleResponse redirect(String location) {
        return empty(303).with("Location", location);
    }

    static ConsoleResponse json(String text) {
        return of(200, "application/json", text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a failure as a problem of RFC 9457. */
    static ConsoleResponse problem(int status, String title, String detail) {
        String text = Json.object(Json.fields("title", title, "status", status, "detail", detail));
        return of(status, "application/problem+json", text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns this answer with one more header. */
    ConsoleResponse with(String name, String value) {
        return with(name, value, body);
    }

    private ConsoleResponse with(String name, String value, byte[] content) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new ConsoleResponse(status, more, content);
    }

    /** Returns the status of HTTP. */
    public int status() {
        return status;
    }

    /** Returns the headers, each with one value; unmodifiable. */
    public Map<String, String> headers() {
        return headers;
    }

    /** Returns the bytes of the body, possibly none. */
    public byte[] body() {
        return body.clone();
    }
}
