package io.holdfast.redis.client;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How claims are carried out on a server. An address says which by {@code ?locks=…}; without it, by scripts. */
public enum LockProtocol {
    /** By scripts, with all that Holdfast can do. */
    SCRIPTS("scripts"),
    /** By {@code WATCH}, {@code MULTI} and {@code EXEC}, where scripts are forbidden. */
    TRANSACTIONS("transactions"),
    /** The same, and the lock's value is not an owner but the Unix time in ms at which the lock ends. */
    TIMESTAMPS("timestamps"),
    /** The same in seconds. */
    TIMESTAMPS_IN_SECONDS("timestamps-in-seconds");

    private static final String PARAMETER = "locks=";

    private final String word;

    LockProtocol(String word) {
        this.word = word;
    }

    /**
     * What the address asks for.
     *
     * @throws IllegalArgumentException if that is none of these
     */
    public static LockProtocol of(URI address) {
        String asked = parameters(address).stream()
                .filter(parameter -> parameter.startsWith(PARAMETER))
                .map(parameter -> parameter.substring(PARAMETER.length()))
                .findFirst()
                .orElse(SCRIPTS.word);
        return Arrays.stream(values())
                .filter(protocol -> protocol.word.equals(asked))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("'" + RedisAddress.name(address) + "?" + PARAMETER + asked
                                + "' asks for locks of no known kind; write one of "
                                + Arrays.stream(values())
                                        .map(protocol -> PARAMETER + protocol.word)
                                        .collect(Collectors.joining(", "))));
    }

    /** The address without that, for a client that would not understand it. */
    public static URI strip(URI address) {
        String query = address.getRawQuery();
        if (query == null || !query.contains(PARAMETER)) {
            return address;
        }
        String rest = parameters(address).stream()
                .filter(parameter -> !parameter.startsWith(PARAMETER))
                .collect(Collectors.joining("&"));
        String text = address.toString();
        String fragment = address.getRawFragment() == null ? "" : "#" + address.getRawFragment();
        return URI.create(text.substring(0, text.indexOf('?')) + (rest.isEmpty() ? "" : "?" + rest) + fragment);
    }

    private static List<String> parameters(URI address) {
        @Nullable String query = address.getRawQuery();
        return query == null ? List.of() : List.of(query.split("&"));
    }
}
