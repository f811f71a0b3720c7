package io.holdfast.redis;

import java.util.List;

/** For whoever has just made a server, and so knows that it has forgotten nothing. */
public final class Adoption {

    private Adoption() {}

    /** The command after which the server votes at once, until it is restarted. */
    public static List<String> command(String runId) {
        return List.of("HSET", Keys.MARKER, "run", runId, "admitted", "1");
    }
}
