package io.holdfast.redis.client;

import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The commands of one connection that wait for their answers. A server that has been silent for 10 s while commands waited is given
 * up: whoever waits for them is then answered, and a new connection may fare better. Thread-safe.
 */
public final class PendingCommands {

    /** How many commands may wait for their answers: a node that hangs costs bounded memory. */
    public static final int MAX_PENDING = 20_000;

    /** What is answered to a command beyond them. */
    public static final RedisReply TOO_MUCH =
            new RedisReply.Lost(false, MAX_PENDING + " commands wait for an answer already");

    /** What is answered to a command whose connection has ended before the answer came. */
    public static final RedisReply CUT_OFF = new RedisReply.Lost(true, "the connection ended before the answer came");

    private static final Duration SILENCE_CHECK = Duration.ofSeconds(1);
    private static final int SILENT_CHECKS = 10;

    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicLong heard = new AtomicLong();

    /** No command yet. */
    public PendingCommands() {}

    /** A command is to be sent; false: too many wait, and it must not be. */
    public boolean begin() {
        if (pending.incrementAndGet() > MAX_PENDING) {
            pending.decrementAndGet();
            return false;
        }
        return true;
    }

    /** A command that was begun has its answer, from the server or not. */
    public void end(RedisReply answer) {
        pending.decrementAndGet();
        if (!(answer instanceof RedisReply.Lost)) {
            heard.incrementAndGet();
        }
    }

    /** Whether the server has ever answered a command. */
    public boolean hasHeard() {
        return heard.get() > 0;
    }

    /** Closes the connection when the server is silent for too long. */
    public void watch(RedisConnection connection, Time time) {
        watch(connection, time, 0, 0);
    }

    /** Counts checks instead of comparing clocks, so that a pause of this process is not taken for the server's silence. */
    private void watch(RedisConnection connection, Time time, long heardBefore, int silentChecks) {
        if (connection.ended().isDone()) {
            return;
        }
        long heardNow = heard.get();
        int silent = pending.get() > 0 && heardNow == heardBefore ? silentChecks + 1 : 0;
        if (silent > SILENT_CHECKS) {
            connection.close();
        } else {
            time.schedule(SILENCE_CHECK, () -> watch(connection, time, heardNow, silent));
        }
    }
}
