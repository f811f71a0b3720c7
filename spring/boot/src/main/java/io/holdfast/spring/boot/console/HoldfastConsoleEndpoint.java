package io.holdfast.spring.boot.console;

import io.holdfast.console.Console;
import io.holdfast.console.ConsoleRequest;
import io.holdfast.console.ConsoleResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.annotation.WebEndpoint;
import org.springframework.http.HttpRequest;

/**
 * The endpoint {@code /actuator/holdfast-console}: the page of the console, and its data. Handlers for servlets and for
 * reactive applications give it requests, because an operation of the actuator reads no header, and sets none in a
 * reactive application.
 */
@WebEndpoint(id = HoldfastConsoleEndpoint.NAME, defaultAccess = Access.READ_ONLY)
public final class HoldfastConsoleEndpoint implements AutoCloseable {

    static final String NAME = "holdfastConsole";
    static final EndpointId ID = EndpointId.of(NAME);

    /** The path below that of the actuator, unless the application maps it. An id cannot contain a dash. */
    static final String PATH = "holdfast-console";

    private final Console console;

    HoldfastConsoleEndpoint(Console console) {
        this.console = console;
    }

    /**
     * Does nothing: the handlers answer in its place. Without an operation, the actuator would ignore the endpoint, and
     * rules of Spring Security for all endpoints would not apply to it.
     */
    @ReadOperation
    public void page() {}

    /**
     * Answers a request. Blocks until the nodes have answered, at most for some seconds. The page has relative
     * addresses, so the path of the endpoint without a slash at its end is redirected.
     *
     * @param path the path below that of the endpoint
     * @param user the name of the user; null if there is none
     * @param host the address of the user
     */
    ConsoleResponse answer(
            HttpRequest request,
            String path,
            Map<String, String> query,
            byte[] body,
            @Nullable String user,
            @Nullable String host) {
        String address = request.getURI().getPath();
        if (path.isEmpty() && !address.endsWith("/")) {
            return ConsoleResponse.redirect(address.substring(address.lastIndexOf('/') + 1) + "/");
        }
        return console.handle(new ConsoleRequest(
                request.getMethod().name(),
                path,
                query,
                request.getHeaders().toSingleValueMap(),
                new String(body, StandardCharsets.UTF_8),
                (user == null ? "unknown user" : user) + " (" + host + ")"));
    }

    /** Ends the reading. */
    @Override
    public void close() {
        console.close();
    }
}
