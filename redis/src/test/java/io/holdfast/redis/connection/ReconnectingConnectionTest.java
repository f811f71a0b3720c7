package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.client.ConnectFailure;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.SameReply;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A connection whose attempts do not end, or whose callbacks fail. The contracts cover other states, on servers. */
class ReconnectingConnectionTest {

    private record SilentServer(String name) implements RedisConnector {

        @Override
        public CompletionStage<RedisConnection> connect() {
            return new CompletableFuture<>();
        }

        @Override
        public ConnectFailure explain(Throwable failure) {
            return ConnectFailure.passing(failure.toString());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "redis://a:6379, no answer yet to the attempt to connect",
        "rediss://a:6379, no answer yet to the TLS handshake"
    })
    void session_silentServer_namesWhatIsAwaited(String name, String cause) {
        ReconnectingConnection connection = new ReconnectingConnection(new SilentServer(name), new VirtualTime());
        connection.start();

        CompletionStage<RedisReply> reply = connection.session().send(List.of("PING"));

        assertThat(reply.toCompletableFuture())
                .isCompletedWithValue(new RedisReply.NoReply(false, "not connected: " + cause, false));
        assertThat(connection.outage())
                .isNotNull()
                .satisfies(outage -> assertThat(outage.cause()).isEqualTo(cause));
    }

    private static SameReply connection() {
        return new SameReply(List.of("PONG"));
    }

    /** A server to which the test connects. */
    private record TestServer(List<CompletableFuture<RedisConnection>> attempts) implements RedisConnector {

        @Override
        public String name() {
            return "redis://a:6379";
        }

        @Override
        public CompletionStage<RedisConnection> connect() {
            CompletableFuture<RedisConnection> attempt = new CompletableFuture<>();
            attempts.add(attempt);
            return attempt;
        }

        @Override
        public ConnectFailure explain(Throwable failure) {
            return ConnectFailure.passing(failure.toString());
        }

        SameReply accept() {
            SameReply accepted = connection();
            attempts.get(attempts.size() - 1).complete(accepted);
            return accepted;
        }
    }

    /** A time in which one call fails, because no memory is left for a moment. */
    private static final class ShortOfMemory implements Time {

        private final VirtualTime time = new VirtualTime();
        private boolean failsAtReading;
        private boolean failsAtTimer;

        @Override
        public Moment now() {
            if (failsAtReading) {
                failsAtReading = false;
                throw new OutOfMemoryError("in a test");
            }
            return time.now();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            if (failsAtTimer) {
                failsAtTimer = false;
                throw new OutOfMemoryError("in a test");
            }
            return time.schedule(delay, task);
        }

        @Override
        public void execute(Runnable task) {
            time.execute(task);
        }
    }

    private final ShortOfMemory time = new ShortOfMemory();
    private final TestServer server = new TestServer(new ArrayList<>());
    private final ReconnectingConnection connection = new ReconnectingConnection(server, time);

    /** Lets the last attempt count as lost, and the next one begin. */
    private void takeOverdueStep() {
        time.time.advance(Duration.ofSeconds(31));
        connection.session();
        time.time.advance(Duration.ofSeconds(1));
    }

    @Test
    void session_endWasNotNoticed_connectsAgain() {
        connection.start();
        SameReply first = server.accept();
        time.failsAtReading = true;
        first.close();

        connection.session();
        time.time.advance(Duration.ofSeconds(1));
        SameReply second = server.accept();

        assertThat(connection.session()).isSameAs(second);
        assertThat(connection.outage()).isNull();
    }

    @Test
    void session_nextAttemptCouldNotBePlanned_connectsAgain() {
        connection.start();
        SameReply first = server.accept();
        time.failsAtTimer = true;
        first.close();

        takeOverdueStep();

        assertThat(server.attempts).hasSize(2);
    }

    @Test
    void session_attemptIsLost_usesTheFirstConnectionThatIsMade() {
        connection.start();
        takeOverdueStep();

        SameReply late = connection();
        server.attempts.get(0).complete(late);
        SameReply second = server.accept();

        assertThat(connection.session()).isSameAs(late);
        assertThat(late.ended()).isNotDone();
        assertThat(second.ended()).isDone();
    }

    @Test
    void session_lateAttemptConnectsAndTheNextFails_staysConnected() {
        connection.start();
        takeOverdueStep();

        SameReply late = connection();
        server.attempts.get(0).complete(late);
        server.attempts.get(1).completeExceptionally(new IOException("in a test"));

        assertThat(connection.session()).isSameAs(late);
    }
}
