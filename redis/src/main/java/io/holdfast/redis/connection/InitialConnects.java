package io.holdfast.redis.connection;

import io.holdfast.node.Majority;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The first attempts to connect of all nodes. Enough have ended when all have, or 200 ms after a majority has
 * succeeded, so that the start of a program does not wait long for one node that is down.
 */
public final class InitialConnects {

    private static final Duration GRACE = Duration.ofMillis(200);

    private final int expected;
    private final Time time;
    private final CompletableFuture<Void> enough = new CompletableFuture<>();
    private int ended;
    private int connected;

    /** Expects this number of attempts. */
    public InitialConnects(int expected, Time time) {
        this.expected = expected;
        this.time = time;
    }

    /** Counts a first attempt that has ended. */
    public synchronized void count(boolean success) {
        ended++;
        connected += success ? 1 : 0;
        if (ended == expected) {
            enough.complete(null);
        } else if (success && connected == Majority.of(expected)) {
            time.schedule(GRACE, () -> enough.complete(null));
        }
    }

    /** Returns a future that completes when enough attempts have ended. */
    public CompletableFuture<Void> enough() {
        return enough;
    }
}
