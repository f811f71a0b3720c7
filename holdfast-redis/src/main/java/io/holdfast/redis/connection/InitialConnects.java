package io.holdfast.redis.connection;

import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Whether enough first attempts to connect have ended: all of them, or a majority with success and a little time for the
 * others. A program that starts does not wait long for one node that is down.
 */
public final class InitialConnects {

    private static final Duration GRACE = Duration.ofMillis(200);

    private final int expected;
    private final Time time;
    private final CompletableFuture<Void> enough = new CompletableFuture<>();
    private int ended;
    private int connected;

    public InitialConnects(int expected, Time time) {
        this.expected = expected;
        this.time = time;
    }

    /** One first attempt has ended. */
    public synchronized void count(boolean success) {
        ended++;
        connected += success ? 1 : 0;
        if (ended == expected) {
            enough.complete(null);
        } else if (success && connected == expected / 2 + 1) {
            time.schedule(GRACE, () -> enough.complete(null));
        }
    }

    public CompletableFuture<Void> enough() {
        return enough;
    }
}
