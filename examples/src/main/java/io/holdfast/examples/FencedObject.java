package io.holdfast.examples;

import io.holdfast.lease.FencingToken;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/**
 * An object behind HTTP with conditional writes, as object stores have them. The store compares no numbers; it refuses a write
 * whose {@code If-Match} is not the present {@code ETag}, and keeps a header of ours with the object.
 */
public final class FencedObject {

    private static final String TOKEN_HEADER = "x-meta-fence";
    private static final int PRECONDITION_FAILED = 412;

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI object;

    public FencedObject(URI object) {
        this.object = object;
    }

    /** What the object is now. */
    public String read() throws IOException, InterruptedException {
        return get().body();
    }

    /**
     * Writes the object if nobody with a greater token has done so.
     *
     * @throws StaleTokenException if somebody has
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
            // Somebody has written between our read and our write: look again who that was.
        }
    }

    private HttpResponse<String> get() throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(object).build(), HttpResponse.BodyHandlers.ofString());
    }
}
