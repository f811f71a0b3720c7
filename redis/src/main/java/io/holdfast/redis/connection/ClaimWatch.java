package io.holdfast.redis.connection;

import io.holdfast.redis.client.NodeConnection;
import io.holdfast.redis.client.Outage;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Replaces a connection whose claims have had no answer for 10 s, whatever else the server answers: claims may take
 * another way than {@code INFO}, in this process, in a proxy or in the server. Also sends the claims that a failed
 * thread has left. Thread-safe.
 */
final class ClaimWatch {

    private static final String CAUSE = "it has not answered a claim for 10 s";

    private static final Duration PERIOD = Duration.ofSeconds(1);

    /**
     * The time for which a silent node does not count as one that votes, unless it answers a claim: two periods of
     * silence.
     */
    private static final Duration REMEMBERED = Duration.ofSeconds(30);

    private final NodeConnection connection;
    private final Time time;
    private final Supplier<@Nullable ServerSession> current;
    private final AtomicBoolean checks = new AtomicBoolean();
    private volatile @Nullable Silence silence;
    private volatile @Nullable ServerSession watched;

    /**
     * A server that does not answer claims.
     *
     * @param since when this was noticed first
     * @param last when this was noticed again
     */
    private record Silence(Moment since, Moment last) {}

    /**
     * Creates a watch.
     *
     * @param current returns the session over which claims are sent; null if there is none yet
     */
    ClaimWatch(NodeConnection connection, Time time, Supplier<@Nullable ServerSession> current) {
        this.connection = connection;
        this.time = time;
        this.current = current;
    }

    /** Begins a claim, and waits for its answer. */
    <T> CompletionStage<T> over(ServerSession server, Supplier<CompletionStage<T>> claim) {
        if (!checks.get() && checks.compareAndSet(false, true)) {
            begin(server);
        }
        return server.answers().count(claim);
    }

    /** Returns {@code true} if a claim over this session has ended because the server has answered it. */
    boolean isAnswer(RedisSession session) {
        boolean isConnected = connection.session() == session;
        if (isConnected && silence != null) {
            silence = null;
        }
        return isConnected;
    }

    private void begin(ServerSession server) {
        watched = server;
        try {
            time.repeat(PERIOD, this::check);
        } catch (Throwable failed) {
            checks.set(false);
            throw failed;
        }
    }

    private boolean check() {
        ServerSession server = Objects.requireNonNull(watched);
        server.claims().resume();
        ServerSession now = current.get();
        if (server == now && server.answers().areMissing()) {
            Moment noticed = time.now();
            Silence before = silence;
            silence = new Silence(before == null ? noticed : before.since(), noticed);
            connection.replace(server.session(), CAUSE);
        }
        if (now == null) {
            checks.set(false);
            return false;
        }
        watched = now;
        return true;
    }

    /** Returns the outage of a server that is connected and does not answer claims, or null. */
    @Nullable
    Outage outage() {
        Silence now = silence;
        return now == null || time.now().surelySince(now.last()).compareTo(REMEMBERED) > 0
                ? null
                : new Outage(now.since(), CAUSE);
    }
}
