package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.NodeAddress;
import io.holdfast.redis.client.ConnectFailure;
import io.holdfast.redis.client.ConnectFailures;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.SameReply;
import io.holdfast.time.VirtualTime;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sentinels that name no server, or none any more. The contract of failovers covers the other ones, on real servers.
 */
class SentinelConnectorTest {

    private static final NodeAddress ADDRESS = NodeAddress.parse("redis-sentinel://user:secret@host:26379#main");
    private static final Duration MANY_CHECKS = Duration.ofMinutes(1);

    private final VirtualTime time = new VirtualTime();
    private @Nullable List<?> named = List.of("a", "6379");

    /** A Sentinel that cannot be connected to if its answer is null. */
    private record Sentinel(@Nullable List<?> master) implements RedisConnector {

        @Override
        public String name() {
            return "sentinel";
        }

        @Override
        public CompletionStage<RedisConnection> connect() {
            return master == null
                    ? CompletableFuture.failedFuture(new ConnectException("refused"))
                    : CompletableFuture.completedFuture(new SameReply(master));
        }

        @Override
        public ConnectFailure explain(Throwable failure) {
            return ConnectFailures.explain(failure, cause -> null);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b,6379", "evil@other,6379", "a,port", "a,99999", "a\u001b[2J,6379", ",", "a/b,1"})
    void connect_masterIsNoAddress_failsWithoutThePassword(String master) {
        List<String> words = Arrays.asList(master.split(",", -1));
        SentinelConnector connector = connector(() -> words);

        ConnectFailure failure = connector.explain(failure(connector));

        assertThat(failure.cause()).contains("without a valid address").doesNotContain("secret", "\u001b");
    }

    private SentinelConnector connector(Supplier<@Nullable List<?>> named) {
        return new SentinelConnector(
                ADDRESS,
                uri -> new Sentinel(List.of()),
                uri -> new Sentinel(named.get()),
                new AddressMap(Map.of()),
                time);
    }

    /** Sentinels that do not answer, or have forgotten the master, are no failover. */
    @Test
    void check_noSentinelNamesAnotherMaster_keepsTheConnection() throws Exception {
        RedisConnection connection =
                connector(() -> named).connect().toCompletableFuture().get();

        for (List<?> answer : Arrays.asList(null, List.of(), List.of("not an address", "1"), List.of("a", "6379"))) {
            named = answer;
            time.advance(MANY_CHECKS);

            assertThat(connection.ended()).isNotDone();
        }
    }

    @Test
    void check_sentinelNamesAnotherMasterAfterASilence_endsTheConnection() throws Exception {
        RedisConnection connection =
                connector(() -> named).connect().toCompletableFuture().get();
        named = null;
        time.advance(MANY_CHECKS);

        named = List.of("b", "6379");
        time.advance(MANY_CHECKS);

        assertThat(connection.ended()).isDone();
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
