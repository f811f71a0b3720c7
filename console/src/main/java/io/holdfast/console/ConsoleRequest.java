package io.holdfast.console;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A request to the console.
 *
 * @param method the method of HTTP
 * @param path the path below that of the page, without a slash at its beginning; empty for the page itself
 * @param query the parameters
 * @param headers the headers that the request has, by name in any case
 * @param body the text of the body, of which a server need not read more than {@link #LARGEST_BODY} + 1 bytes
 * @param user who sends it, for the record of what an administrator does
 */
public record ConsoleRequest(
        String method, String path, Map<String, String> query, Map<String, String> headers, String body, String user) {

    /** The greatest length of a body; the answer to a longer one is a failure. */
    public static final int LARGEST_BODY = 16 * 1_024;

    /** Creates a request. */
    public ConsoleRequest {
        query = Map.copyOf(query);
        headers = headers.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        header -> header.getKey().toLowerCase(Locale.ROOT), Map.Entry::getValue, (one, same) -> one));
    }

    /** Returns the value of a header; empty if the request does not have it. */
    Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }
}
