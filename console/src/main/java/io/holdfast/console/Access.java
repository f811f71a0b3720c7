package io.holdfast.console;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The decision who may look: all users of this machine, or the viewers who have the token.
 *
 * @param token what a request has to contain; empty for a console that only this machine can reach
 * @param address where the console is served. The port is in the name of the cookie: cookies of one host do not differ
 *     by port
 */
record Access(Optional<String> token, InetSocketAddress address) {

    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String BEARER = "bearer ";

    /** Returns the answer to a request that is not let in; empty if it is. */
    Optional<ConsoleResponse> refusal(ConsoleRequest request) {
        if (token.isEmpty() && !isLocalName(request.header("Host").orElse(""))) {
            return Optional.of(ConsoleResponse.problem(
                    403,
                    "Wrong host",
                    "without a token, this console answers to localhost and to its own address only"));
        } else if (token.isEmpty() || given(request).anyMatch(this::isToken)) {
            return Optional.empty();
        } else if (Optional.ofNullable(request.query().get("token"))
                        .filter(this::isToken)
                        .isPresent()
                && request.path().isEmpty()) {
            // A proxy may have put the console under another path.
            return Optional.of(ConsoleResponse.redirect("./")
                    .with("Set-Cookie", cookie() + token.get() + "; httponly; samesite=strict; path=/"));
        }
        return Optional.of(ConsoleResponse.problem(
                        401, "Token needed", "open the address that the console printed, or send its token as Bearer")
                .with("WWW-Authenticate", "Bearer"));
    }

    /**
     * A page elsewhere whose name leads to this machine has a name of its own in this header. It does not have the
     * token, so a console with a token needs no such check.
     */
    private boolean isLocalName(String host) {
        String name = host.replaceFirst(":\\d+$", "").toLowerCase(Locale.ROOT);
        return LOCAL_NAMES.contains(name) || name.equals(address.getAddress().getHostAddress());
    }

    private String cookie() {
        return "holdfast-console-" + address.getPort() + "=";
    }

    private Stream<String> given(ConsoleRequest request) {
        Stream<String> cookies = request.header("Cookie").stream()
                .flatMap(all -> Arrays.stream(all.split(";")))
                .map(String::strip)
                .filter(one -> one.startsWith(cookie()))
                .map(one -> one.substring(cookie().length()));
        Stream<String> bearer = request.header("Authorization").stream()
                .filter(one -> one.toLowerCase(Locale.ROOT).startsWith(BEARER))
                .map(one -> one.substring(BEARER.length()).strip());
        return Stream.concat(cookies, bearer);
    }

    /** Takes the same time for each text of the same length. */
    private boolean isToken(String text) {
        return MessageDigest.isEqual(
                text.getBytes(StandardCharsets.UTF_8), token.orElseThrow().getBytes(StandardCharsets.UTF_8));
    }
}
