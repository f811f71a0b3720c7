package io.holdfast.redis.connection;

import io.holdfast.redis.client.NodeConnection;
import io.holdfast.redis.client.Outage;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection to a node: makes a new one when it has ended, after a random delay that grows up to a bound, and
 * never gives up. A connection belongs to one run of its server and is never silently replaced under a command.
 */
public final class ReconnectingConnection implements NodeConnection {

    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);
    private static final String ENDED = "the connection has ended";

    private final RedisConnector connector;
    private final Time time;
    private final CompletableFuture<Boolean> firstAttempt = new CompletableFuture<>();
    private volatile @Nullable RedisConnection connection;
    private volatile RedisSession session = none("not connected yet");
    private volatile @Nullable Outage outage;
    private volatile boolean closed;
    private volatile @Nullable Replaced replaced;
    private volatile boolean reported;
    private int failures;

    /** A connection that was ended from here; a reason that was logged at the replacement before is not logged again. */
    private record Replaced(RedisConnection connection, String cause, boolean known) {}

    public ReconnectingConnection(RedisConnector connector, Time time) {
        this.connector = connector;
        this.time = time;
        this.outage = new Outage(time.now(), "not connected yet");
    }

    @Override
    public String name() {
        return connector.name();
    }

    @Override
    public RedisSession session() {
        return session;
    }

    @Override
    public @Nullable Outage outage() {
        return outage;
    }

    private static RedisSession none(String cause) {
        RedisReply notSent = new RedisReply.Lost(false, "not connected: " + cause);
        return command -> CompletableFuture.completedFuture(notSent);
    }

    /** Tells whether the first attempt succeeded. */
    public CompletableFuture<Boolean> started() {
        return firstAttempt;
    }

    /** Begins; the stage tells whether the first attempt succeeded. */
    public CompletableFuture<Boolean> start() {
        connect();
        return firstAttempt;
    }

    private void connect() {
        if (!closed) {
            attempt().whenComplete((made, failure) -> {
                if (failure == null) {
                    up(made);
                } else {
                    down(connector.explain(failure), false);
                }
                firstAttempt.complete(failure == null);
            });
        }
    }

    /** Whatever a connector throws, an error as well where no thread can be started, is one more failed attempt. */
    private CompletionStage<RedisConnection> attempt() {
        try {
            return connector.connect();
        } catch (Throwable failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private void up(RedisConnection made) {
        boolean report = reported;
        reported = false;
        connection = made;
        session = made;
        outage = null;
        made.ended().thenRun(() -> ended(made));
        if (closed) {
            made.close();
        }
        if (report) {
            log("{0} is connected again", name());
        }
    }

    private void ended(RedisConnection made) {
        failures = made.hasHeard() ? 0 : failures;
        Replaced last = replaced;
        if (last != null && last.connection() == made) {
            down(last.cause(), last.known());
        } else {
            down(ENDED, false);
        }
    }

    private void down(String cause, boolean known) {
        Outage before = outage;
        outage = new Outage(before == null ? time.now() : before.since(), cause);
        connection = null;
        session = none(cause);
        if (closed) {
            return;
        }
        boolean report = failures++ == 0 && !known;
        // Nothing that can fail comes before this: it keeps the node alive.
        time.schedule(delay(failures), this::connect);
        if (report) {
            reported = true;
            log("{0} is not connected and does not vote: {1}; trying again", name(), cause);
        }
    }

    private static Duration delay(int failures) {
        long most = FIRST_DELAY.toMillis() << Math.min(failures - 1, 10);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(Math.min(most, LONGEST_DELAY.toMillis())) + 1);
    }

    private void log(String message, Object... arguments) {
        try {
            time.execute(() -> System.getLogger(ReconnectingConnection.class.getName())
                    .log(System.Logger.Level.INFO, message, arguments));
        } catch (Throwable noThread) {
            reported = false;
        }
    }

    @Override
    public void replace(RedisSession unfit, String cause) {
        RedisConnection present = connection;
        if (present != null && present == unfit) {
            Replaced last = replaced;
            replaced = new Replaced(present, cause, last != null && last.cause().equals(cause));
            present.close();
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        RedisConnection open = connection;
        CompletableFuture<Void> freed = open == null ? CompletableFuture.completedFuture(null) : open.close();
        freed.thenRun(connector::close);
    }
}
