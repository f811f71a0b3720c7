package io.holdfast.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** An HTTP server with one object that has an {@code ETag}, conditional writes and one user-defined header. */
final class ObjectStore implements AutoCloseable {

    private final HttpServer server;
    private byte[] content = new byte[0];
    private String fence = "0";
    private int version;

    ObjectStore() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/object", this::handle);
        server.start();
    }

    URI object() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/object");
    }

    private synchronized void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean put = exchange.getRequestMethod().equals("PUT");
            byte[] sent = exchange.getRequestBody().readAllBytes();
            if (put && !etag().equals(exchange.getRequestHeaders().getFirst("If-Match"))) {
                exchange.sendResponseHeaders(412, -1);
                return;
            } else if (put) {
                content = sent;
                fence = exchange.getRequestHeaders().getFirst("x-meta-fence");
                version++;
            }
            exchange.getResponseHeaders().add("ETag", etag());
            exchange.getResponseHeaders().add("x-meta-fence", fence);
            byte[] body = put ? new byte[0] : content;
            exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private String etag() {
        return "\"" + version + "\"";
    }

    String content() {
        return new String(content, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
