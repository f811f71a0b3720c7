package io.holdfast.examples;

import io.holdfast.lease.FencingToken;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * An object behind HTTP with conditional writes, as object stores offer them. The store compares no numbers; it rejects
 * a write whose {@code If-Match} is not the current {@code ETag}, and stores the token in a header of the object.
 */
public final class FencedObject {

    private static final String TOKEN_HEADER = "x-meta-fence";
    private static final int PRECONDITION_FAILED = 412;

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI object;

    public FencedObject(URI object) {
        this.object = object;
    }

    /** Returns the current content of the object. */
    public String read() throws IOException, InterruptedException {
        return get().body();
    }

    /**
     * Writes the object, unless it was written with a greater token.
     *
     * @throws StaleTokenException if it was
     */
    public void write(String content, FencingToken token) throws IOException, InterruptedException {
        while (true) {
            HttpResponse<String> present = get();
            long greatest = present.headers().firstValueAsLong(TOKEN_HEADER).orElse(0);
            if (greatest > token.value()) {
                throw new StaleTokenException(object.getPath(), token);
            }
            String version = present.headers().firstValue("ETag").orElseThrow();
            HttpRequest put = HttpRequest.newBuilder(object)
                    .header("If-Match", version)
                    .header(TOKEN_HEADER, token.toString())
                    .PUT(HttpRequest.BodyPublishers.ofString(content))
                    .build();
            if (http.send(put, HttpResponse.BodyHandlers.discarding()).statusCode() != PRECONDITION_FAILED) {
                return;
            }
            // Another client wrote between our read and our write: read its token and decide again.
        }
    }

    private HttpResponse<String> get() throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(object).build(), HttpResponse.BodyHandlers.ofString());
    }
}
