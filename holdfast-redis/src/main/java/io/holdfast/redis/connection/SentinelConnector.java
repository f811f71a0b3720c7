package io.holdfast.redis.connection;

import io.holdfast.redis.client.ConnectFailure;
import io.holdfast.redis.client.RedisAddress;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.RedisReplies;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Connects to the master that Sentinels name, asking one Sentinel after another. Asks again for each new connection,
 * since the master may have changed.
 *
 * @see <a href="https://redis.io/docs/latest/develop/reference/sentinel-clients/">Guidelines for Sentinel clients</a>
 */
public final class SentinelConnector implements RedisConnector {

    private final URI address;
    private final String master;
    private final List<URI> sentinels;
    private final Function<URI, ? extends RedisConnector> client;
    private final Function<URI, ? extends RedisConnector> sentinelClient;
    /** The connector of the first Sentinel, kept open to keep the shared resources of the client. */
    private final RedisConnector first;

    /**
     * Creates a connector.
     *
     * @throws IllegalArgumentException if the address does not name the master
     */
    public SentinelConnector(
            URI address,
            Function<URI, ? extends RedisConnector> client,
            Function<URI, ? extends RedisConnector> sentinelClient) {
        if (address.getFragment() == null || address.getFragment().isEmpty()) {
            throw new IllegalArgumentException("'" + RedisAddress.name(address)
                    + "' does not say which master; write redis-sentinel://host:26379,host:26379#name");
        }
        this.address = address;
        this.master = address.getFragment();
        this.sentinels = RedisAddress.sentinels(address);
        this.client = client;
        this.sentinelClient = sentinelClient;
        this.first = sentinelClient.apply(sentinels.get(0));
    }

    @Override
    public String name() {
        return RedisAddress.name(address);
    }

    @Override
    public CompletionStage<RedisConnection> connect() {
        return ask(0, "");
    }

    private CompletionStage<RedisConnection> ask(int index, String failures) {
        if (index == sentinels.size()) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException("no Sentinel leads to a master called '" + master + "':" + failures));
        }
        URI sentinel = sentinels.get(index);
        return connectTo(
                        sentinelClient.apply(sentinel),
                        connection -> connection
                                .send(List.of("SENTINEL", "get-master-addr-by-name", master))
                                .thenApply(reply -> {
                                    connection.close();
                                    return RedisReplies.list(reply);
                                }))
                .handle((endpoint, failure) -> {
                    String soFar = failures + " " + RedisAddress.name(sentinel) + " ";
                    if (failure != null) {
                        return ask(index + 1, soFar + first.explain(failure).cause() + ";");
                    }
                    return endpoint.size() == 2 ? master(endpoint) : ask(index + 1, soFar + "knows none;");
                })
                .thenCompose(next -> next);
    }

    private CompletionStage<RedisConnection> master(List<?> endpoint) {
        URI server = RedisAddress.named(address, String.valueOf(endpoint.get(0)), String.valueOf(endpoint.get(1)));
        if (server == null) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException("a Sentinel names a master whose address is not valid"));
        }
        return connectTo(client.apply(server), CompletableFuture::completedFuture);
    }

    private <T> CompletionStage<T> connectTo(
            RedisConnector connector, Function<RedisConnection, CompletionStage<T>> use) {
        return connector.connect().thenCompose(use).whenComplete((done, failure) -> connector.close());
    }

    @Override
    public ConnectFailure explain(Throwable failure) {
        return first.explain(failure);
    }

    @Override
    public void close() {
        first.close();
    }
}
