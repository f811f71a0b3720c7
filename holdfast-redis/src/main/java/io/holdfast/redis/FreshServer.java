package io.holdfast.redis;

import io.holdfast.redis.keys.Keys;
import java.util.List;

/** For whoever has just made a server, and so knows that it has forgotten nothing. */
public final class FreshServer {

    private FreshServer() {}

    /** The command after which the server votes at once, until it is restarted. */
    public static List<String> command(String runId) {
        return List.of("HSET", Keys.MARKER, "run", runId, "admitted", "1");
    }
}
