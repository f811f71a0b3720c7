package io.holdfast.redis;

import io.holdfast.redis.keys.Keys;
import java.util.List;

/** The admission of a server that was just created. Such a server has forgotten nothing, so it needs no quarantine. */
public final class FreshServer {

    private FreshServer() {}

    /**
     * Returns the command after which the server votes at once, until its next restart. Must not be sent to a server
     * that may have voted before.
     *
     * @param runId the {@code run_id} of the server's process, from {@code INFO server}
     */
    public static List<String> command(String runId) {
        return List.of("HSET", Keys.MARKER, "run", runId, "admitted", "1");
    }
}
