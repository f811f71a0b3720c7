package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.client.ConnectFailure;
import io.holdfast.redis.client.ConnectFailures;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.RedisReply;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sentinels that name no server. The contract of failovers covers the other ones, on real servers. */
class SentinelConnectorTest {

    private static final URI ADDRESS = URI.create("redis-sentinel://user:secret@host:26379#main");

    private record Answer(List<?> master) implements RedisConnection {

        @Override
        public CompletionStage<RedisReply> send(List<String> command) {
            return CompletableFuture.completedFuture(new RedisReply.Value(master));
        }

        @Override
        public CompletableFuture<Void> ended() {
            return new CompletableFuture<>();
        }

        @Override
        public boolean hasReplied() {
            return true;
        }

        @Override
        public CompletableFuture<Void> close() {
            return CompletableFuture.completedFuture(null);
        }
    }

    private record Sentinel(List<?> master) implements RedisConnector {

        @Override
        public String name() {
            return "sentinel";
        }

        @Override
        public CompletionStage<RedisConnection> connect() {
            return CompletableFuture.completedFuture(new Answer(master));
        }

        @Override
        public ConnectFailure explain(Throwable failure) {
            return ConnectFailures.explain(failure, cause -> null);
        }

        @Override
        public void close() {}
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b,6379", "evil@other,6379", "a,port", "a,99999", "a\u001b[2J,6379", ",", "a/b,1"})
    void connect_masterIsNoAddress_failsWithoutThePassword(String master) {
        List<String> words = Arrays.asList(master.split(",", -1));
        SentinelConnector connector =
                new SentinelConnector(ADDRESS, uri -> new Sentinel(List.of()), uri -> new Sentinel(words));

        ConnectFailure failure = connector.explain(failure(connector));

        assertThat(failure.cause()).contains("address is not valid").doesNotContain("secret", "\u001b");
    }

    private static Throwable failure(RedisConnector connector) {
        try {
            connector.connect().toCompletableFuture().get();
        } catch (ExecutionException e) {
            return e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new AssertionError("It has connected");
    }
}
