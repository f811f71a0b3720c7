package io.holdfast.lettuce;

import io.holdfast.redis.Answer;
import io.holdfast.redis.RedisSession;
import io.holdfast.time.Time;
import io.lettuce.core.RedisURI;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection to a node: makes a new one when it has ended, after a random delay that grows up to a bound, and
 * never gives up. A connection belongs to one run of its server and is never silently replaced under a command.
 */
final class Supervisor {

    private static final System.Logger LOG = System.getLogger(Supervisor.class.getName());
    private static final Duration FIRST_DELAY = Duration.ofMillis(50);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

    private final LettuceClient client;
    private final RedisURI uri;
    private final Time time;
    private final String name;
    private final CompletableFuture<Boolean> firstAttempt = new CompletableFuture<>();
    private volatile @Nullable Line line;
    private volatile RedisSession session = none("not connected yet");
    private volatile boolean closed;
    private int failures;

    Supervisor(LettuceClient client, RedisURI uri, Time time, Duration connectTimeout) {
        this.client = client;
        this.uri = uri;
        this.time = time;
        this.name = name(uri.toURI());
        uri.setTimeout(connectTimeout);
    }

    /** The address without user, password and parameters. */
    static String name(URI address) {
        String path = address.getPath() == null || address.getPath().equals("/") ? "" : address.getPath();
        return address.getScheme() + "://" + address.getHost() + ":"
                + (address.getPort() < 0 ? RedisURI.DEFAULT_REDIS_PORT : address.getPort()) + path;
    }

    String name() {
        return name;
    }

    /** The connection, or what stands in for it while there is none. */
    RedisSession session() {
        return session;
    }

    private static RedisSession none(String cause) {
        Answer notSent = new Answer.Lost(false, "not connected: " + cause);
        return command -> CompletableFuture.completedFuture(notSent);
    }

    /** Begins; the stage tells whether the first attempt succeeded. */
    CompletableFuture<Boolean> start() {
        connect();
        return firstAttempt;
    }

    private void connect() {
        if (!closed) {
            client.connect(uri).whenComplete((connection, failure) -> {
                if (failure == null) {
                    up(connection);
                } else {
                    down(ConnectFailures.explain(failure));
                }
                firstAttempt.complete(failure == null);
            });
        }
    }

    private void up(StatefulRedisPubSubConnection<String, String> connection) {
        Line made = new Line(connection, time);
        if (failures > 0) {
            log("{0} is connected again", name);
        }
        line = made;
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
        line = null;
        session = none(cause);
        if (closed) {
            return;
        }
        if (failures++ == 0) {
            log("{0} is not connected and does not vote: {1}; trying again", name, cause);
        }
        time.schedule(delay(failures), this::connect);
    }

    private static Duration delay(int failures) {
        long most = FIRST_DELAY.toMillis() << Math.min(failures - 1, 10);
        return Duration.ofMillis(ThreadLocalRandom.current().nextLong(Math.min(most, LONGEST_DELAY.toMillis())) + 1);
    }

    private void log(String message, Object... arguments) {
        time.execute(() -> LOG.log(System.Logger.Level.INFO, message, arguments));
    }

    void close() {
        if (closed) {
            return;
        }
        closed = true;
        Line open = line;
        CompletableFuture<Void> freed = open == null ? CompletableFuture.completedFuture(null) : open.close();
        freed.thenRun(client::leave);
    }
}
