package io.holdfast.redis.connection;

import io.holdfast.redis.client.ConnectFailure;
import io.holdfast.redis.client.NodeConnection;
import io.holdfast.redis.client.Outage;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a node, made again whenever it has ended: after a random delay that grows up to a bound, without
 * end. A connection belongs to one server process and is never silently replaced under a command.
 */
public final class ReconnectingConnection implements NodeConnection {

    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);
    private static final String ENDED = "the connection has ended";

    /** The time after which an attempt is considered lost. Another one then begins beside it. */
    private static final Duration LONGEST_STEP = Duration.ofSeconds(30);

    private final RedisConnector connector;
    private final Time time;
    private final CompletableFuture<Boolean> firstAttempt = new CompletableFuture<>();
    private final CompletableFuture<Void> freed = new CompletableFuture<>();
    private volatile @Nullable RedisConnection connection;
    private volatile RedisSession session;
    private volatile @Nullable Outage outage;
    private volatile boolean closed;
    private volatile @Nullable Replaced replaced;
    private volatile boolean reported;
    private int failures;
    /** The number of the last attempt. An earlier one, which was late, may still make a connection, but not fail. */
    private int attempts;
    /** The last moment at which an attempt was planned or begun, or at which a connection has ended. */
    private volatile Moment lastStep;

    /**
     * A connection that was closed by {@link #replace}.
     *
     * @param logged {@code true} if the replacement before had the same cause, which is not logged again
     */
    private record Replaced(RedisConnection connection, String cause, boolean logged) {}

    /** Creates a connection that has not started to connect. */
    public ReconnectingConnection(RedisConnector connector, Time time) {
        this.connector = connector;
        this.time = time;
        String cause = unanswered(connector.name());
        this.session = unavailable(ConnectFailure.passing(cause));
        this.lastStep = time.now();
        this.outage = new Outage(lastStep, cause);
    }

    /** Returns the state before the first attempt has ended. */
    private static String unanswered(String name) {
        return name.startsWith("rediss")
                ? "no answer yet to the TLS handshake"
                : "no answer yet to the attempt to connect";
    }

    @Override
    public String name() {
        return connector.name();
    }

    @Override
    public RedisSession session() {
        resume();
        return session;
    }

    @Override
    public @Nullable Outage outage() {
        resume();
        return outage;
    }

    /**
     * Takes the step that a callback should have taken. A callback that fails, since no memory is left for a moment, is
     * not called again; all that use this connection come here.
     */
    private void resume() {
        RedisConnection made = connection;
        try {
            if (made != null && made.ended().isDone()) {
                ended(made);
            } else if (made == null && !closed && isOverdue()) {
                lastStep = time.now();
                time.schedule(FIRST_DELAY, this::connect);
            }
        } catch (Throwable failed) {
            // The next call tries again.
        }
    }

    private boolean isOverdue() {
        return time.now().surelySince(lastStep).compareTo(LONGEST_STEP) > 0;
    }

    private static RedisSession unavailable(ConnectFailure failure) {
        RedisReply notSent = new RedisReply.NoReply(false, "not connected: " + failure.cause(), failure.lasting());
        return command -> CompletableFuture.completedFuture(notSent);
    }

    /**
     * Returns a future that completes with {@code true} if the first attempt succeeds, otherwise with {@code false}.
     */
    public CompletableFuture<Boolean> firstAttempt() {
        return firstAttempt;
    }

    /** Starts to connect and returns {@link #firstAttempt}. */
    public CompletableFuture<Boolean> start() {
        connect();
        return firstAttempt;
    }

    private void connect() {
        if (!closed) {
            lastStep = time.now();
            int number = nextAttempt();
            attempt().whenComplete((made, failure) -> {
                if (failure == null) {
                    connected(made);
                } else if (isAwaited(number)) {
                    disconnected(connector.explain(failure), false);
                }
                firstAttempt.complete(failure == null);
            });
        }
    }

    private synchronized int nextAttempt() {
        return ++attempts;
    }

    private synchronized boolean isAwaited(int number) {
        return connection == null && number == attempts;
    }

    /** Counts any exception of the connector as a failed attempt, also an error because no thread can be started. */
    private CompletionStage<RedisConnection> attempt() {
        try {
            return connector.connect();
        } catch (Throwable failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private void connected(RedisConnection made) {
        if (!use(made)) {
            made.close();
            return;
        }
        boolean wasReported = reported;
        reported = false;
        session = made;
        outage = null;
        made.ended().thenRun(() -> ended(made));
        if (closed) {
            made.close();
        }
        if (wasReported) {
            log("{0} is connected again", name());
        }
    }

    /** Returns {@code false} if another attempt, which was late, has made a connection by now. */
    private synchronized boolean use(RedisConnection made) {
        if (connection != null) {
            return false;
        }
        connection = made;
        return true;
    }

    /** Returns {@code true} if the end of this connection was not noticed before. */
    private synchronized boolean forget(RedisConnection made, Moment noticed) {
        if (connection != made) {
            return false;
        }
        lastStep = noticed;
        connection = null;
        return true;
    }

    private void ended(RedisConnection made) {
        if (!forget(made, time.now())) {
            return;
        }
        failures = made.hasReplied() ? 0 : failures;
        Replaced last = replaced;
        if (last != null && last.connection() == made) {
            disconnected(ConnectFailure.passing(last.cause()), last.logged());
        } else {
            disconnected(ConnectFailure.passing(ENDED), false);
        }
    }

    private void disconnected(ConnectFailure failure, boolean logged) {
        String cause = failure.cause();
        Outage before = outage;
        outage = new Outage(before == null ? time.now() : before.since(), cause);
        session = unavailable(failure);
        if (closed) {
            return;
        }
        boolean report = failures++ == 0 && !logged;
        time.schedule(delay(failures), this::connect);
        if (report) {
            reported = true;
            log("{0} is not connected and does not vote: {1}; trying again", name(), cause);
        }
    }

    private static Duration delay(int failures) {
        long longest = FIRST_DELAY.toMillis() << Math.min(failures - 1, 10);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(Math.min(longest, LONGEST_DELAY.toMillis())) + 1);
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
    public void replace(RedisSession rejected, String cause) {
        RedisConnection current = connection;
        if (current != null && current == rejected) {
            Replaced last = replaced;
            replaced = new Replaced(current, cause, last != null && last.cause().equals(cause));
            current.close();
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        RedisConnection open = connection;
        CompletableFuture<Void> ended = open == null ? CompletableFuture.completedFuture(null) : open.close();
        ended.thenCompose(done -> connector.close()).whenComplete((done, failure) -> freed.complete(null));
    }

    @Override
    public CompletionStage<?> freed() {
        return freed;
    }
}
