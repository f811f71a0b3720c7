package io.holdfast.redis;

import io.holdfast.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection to a node: makes a new one when it has ended, after a random delay that grows up to a bound, and
 * never gives up. A connection belongs to one run of its server and is never silently replaced under a command.
 */
final class Supervisor implements RedisPort {

    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

    private final RedisConnector connector;
    private final Time time;
    private final CompletableFuture<Boolean> firstAttempt = new CompletableFuture<>();
    private volatile @Nullable RedisConnection connection;
    private volatile RedisSession session = none("not connected yet");
    private volatile boolean closed;
    private int failures;

    Supervisor(RedisConnector connector, Time time) {
        this.connector = connector;
        this.time = time;
    }

    @Override
    public String name() {
        return connector.name();
    }

    @Override
    public RedisSession session() {
        return session;
    }

    private static RedisSession none(String cause) {
        Answer notSent = new Answer.Lost(false, "not connected: " + cause);
        return command -> CompletableFuture.completedFuture(notSent);
    }

    /** Tells whether the first attempt succeeded. */
    CompletableFuture<Boolean> started() {
        return firstAttempt;
    }

    /** Begins; the stage tells whether the first attempt succeeded. */
    CompletableFuture<Boolean> start() {
        connect();
        return firstAttempt;
    }

    private void connect() {
        if (!closed) {
            connector.connect().whenComplete((made, failure) -> {
                if (failure == null) {
                    up(made);
                } else {
                    down(connector.explain(failure));
                }
                firstAttempt.complete(failure == null);
            });
        }
    }

    private void up(RedisConnection made) {
        if (failures > 0) {
            log("{0} is connected again", name());
        }
        connection = made;
        session = made;
        made.ended().thenRun(() -> {
            failures = made.hasHeard() ? 0 : failures;
            down("the connection has ended");
        });
        if (closed) {
            made.close();
        }
    }

    private void down(String cause) {
        connection = null;
        session = none(cause);
        if (closed) {
            return;
        }
        if (failures++ == 0) {
            log("{0} is not connected and does not vote: {1}; trying again", name(), cause);
        }
        time.schedule(delay(failures), this::connect);
    }

    private static Duration delay(int failures) {
        long most = FIRST_DELAY.toMillis() << Math.min(failures - 1, 10);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(Math.min(most, LONGEST_DELAY.toMillis())) + 1);
    }

    private void log(String message, Object... arguments) {
        time.execute(
                () -> System.getLogger(Supervisor.class.getName()).log(System.Logger.Level.INFO, message, arguments));
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
