package io.holdfast.redis.client;

import io.holdfast.node.NodeAddress;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The way in which claims are carried out on a server. An address selects it by {@code ?locks=…}. */
public enum LockProtocol {
    /** Lua scripts, the default: supports all features. */
    SCRIPTS("scripts"),
    /** {@code WATCH}, {@code MULTI} and {@code EXEC}, where scripts are forbidden. */
    TRANSACTIONS("transactions"),
    /** As {@link #TRANSACTIONS}, with the Unix time in ms at which the lock ends as its value, instead of an owner. */
    TIMESTAMPS("timestamps"),
    /** As {@link #TIMESTAMPS}, with the time in seconds. */
    TIMESTAMPS_IN_SECONDS("timestamps-in-seconds");

    private static final String PARAMETER = "locks=";

    private final String word;

    LockProtocol(String word) {
        this.word = word;
    }

    /**
     * Returns the protocol that the address selects.
     *
     * @throws IllegalArgumentException if the address names an unknown protocol, or has another parameter
     */
    public static LockProtocol of(NodeAddress address) {
        requireKnownParameters(address);
        String requested = address.parameters().stream()
                .filter(parameter -> parameter.startsWith(PARAMETER))
                .map(parameter -> parameter.substring(PARAMETER.length()))
                .findFirst()
                .orElse(SCRIPTS.word);
        return Arrays.stream(values())
                .filter(protocol -> protocol.word.equals(requested))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + address + "?" + PARAMETER + requested
                        + "' requests an unknown kind of locks; write one of "
                        + Arrays.stream(values())
                                .map(protocol -> PARAMETER + protocol.word)
                                .collect(Collectors.joining(", "))));
    }

    /** Rejects a misspelt parameter: without it, the client would use other locks than the address requests. */
    private static void requireKnownParameters(NodeAddress address) {
        address.parameters().stream()
                .filter(parameter -> !parameter.isEmpty() && !parameter.startsWith(PARAMETER))
                .findFirst()
                .ifPresent(parameter -> {
                    // A value may be a secret, and so may a parameter without one.
                    String named = parameter.contains("=") ? " '" + parameter.split("=", 2)[0] + "'" : "";
                    throw new IllegalArgumentException("'" + address + "' has the unknown parameter"
                            + named + "; remove it, and write " + PARAMETER + "... for a kind of locks or rediss:// for"
                            + " TLS");
                });
    }
}
