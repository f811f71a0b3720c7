package io.holdfast.redis.client;

import io.holdfast.node.batch.InFlight;
import io.holdfast.node.batch.SilentChecks;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The commands of one connection that have no reply yet. Bounds their number, and closes the connection to a server
 * that was silent for 10 s while commands were pending: they then complete, and a new connection may succeed.
 * Thread-safe.
 */
public final class PendingCommands {

    /** The maximum number of pending commands, so that a node that hangs costs bounded memory. */
    public static final int MAX_PENDING = 20_000;

    /** The reply to a command that was not sent because {@link #MAX_PENDING} commands were pending. */
    public static final RedisReply.NoReply TOO_MANY =
            new RedisReply.NoReply(false, MAX_PENDING + " commands wait for an answer already");

    /** The reply to a command whose connection ended first. */
    public static final RedisReply CONNECTION_ENDED =
            new RedisReply.NoReply(true, "the connection ended before the answer came");

    private static final Duration SILENCE_CHECK = Duration.ofSeconds(1);
    private static final int MOST_SILENT_CHECKS = 10;

    private final InFlight pending = new InFlight(MAX_PENDING);
    private final AtomicLong replies = new AtomicLong();
    private final SilentChecks silence = new SilentChecks();

    /** Creates a counter without pending commands. */
    public PendingCommands() {}

    /**
     * Sends a command, and counts it until it completes. Completes with {@link #TOO_MANY}, and sends nothing, if too
     * many are pending.
     *
     * @param command sends the command
     */
    public CompletionStage<RedisReply> count(Supplier<CompletionStage<RedisReply>> command) {
        CompletableFuture<RedisReply> counted =
                pending.run(command, () -> TOO_MANY, this::ended).toCompletableFuture();
        if (counted.isDone()) {
            // Perhaps counted twice, which does no harm.
            counted.whenComplete(this::ended);
        }
        return counted;
    }

    private void ended(@Nullable RedisReply reply, @Nullable Throwable failure) {
        if (reply != null && !(reply instanceof RedisReply.NoReply)) {
            replies.incrementAndGet();
        }
    }

    /** Returns {@code true} if the server has replied to a command. */
    public boolean hasReplied() {
        return replies.get() > 0;
    }

    /** Closes the connection when the server is silent for too long. Checks once a second until the connection ends. */
    public void closeWhenSilent(RedisConnection connection, Time time) {
        time.repeat(SILENCE_CHECK, () -> check(connection));
    }

    private boolean check(RedisConnection connection) {
        if (silence.check(replies.get(), pending.count() > 0) > MOST_SILENT_CHECKS) {
            connection.close();
        }
        return !connection.ended().isDone();
    }
}
