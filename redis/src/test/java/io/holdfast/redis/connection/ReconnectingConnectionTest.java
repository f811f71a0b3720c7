package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.client.ConnectFailure;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.time.VirtualTime;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A connection whose first attempt has not ended. The contracts cover the other states, on real servers. */
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
    @CsvSource({"redis://a:6379, not connected yet", "rediss://a:6379, no answer yet to the TLS handshake"})
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
}
