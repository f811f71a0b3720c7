package io.holdfast.redis.connection;

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
 * Connects to the master that Sentinels know, asking one of them after another; and asks again for each new connection, since there
 * may be another master by then.
 *
 * @see <a href="https://redis.io/docs/latest/develop/reference/sentinel-clients/">What a client of Sentinel does</a>
 */
public final class SentinelConnector implements RedisConnector {

    private final URI address;
    private final String master;
    private final List<URI> sentinels;
    private final Function<URI, ? extends RedisConnector> client;
    private final Function<URI, ? extends RedisConnector> sentinelClient;
    /** Keeps what the client needs as long as this is open. */
    private final RedisConnector first;

    /**
     * Creates a connector.
     *
     * @param client connects to the master
     * @param sentinelClient connects to a Sentinel
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

    private CompletionStage<RedisConnection> ask(int index, String said) {
        if (index == sentinels.size()) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException("no Sentinel leads to a master called '" + master + "':" + said));
        }
        URI sentinel = sentinels.get(index);
        return through(
                        sentinelClient.apply(sentinel),
                        connection -> connection
                                .send(List.of("SENTINEL", "get-master-addr-by-name", master))
                                .thenApply(answer -> {
                                    connection.close();
                                    return RedisReplies.list(answer);
                                }))
                .handle((place, failure) -> {
                    String more = said + " " + RedisAddress.name(sentinel) + " ";
                    if (failure != null) {
                        return ask(index + 1, more + first.explain(failure) + ";");
                    }
                    return place.size() == 2 ? master(place) : ask(index + 1, more + "knows none;");
                })
                .thenCompose(next -> next);
    }

    private CompletionStage<RedisConnection> master(List<?> place) {
        URI server = RedisAddress.server(address, String.valueOf(place.get(0)), String.valueOf(place.get(1)));
        return through(client.apply(server), CompletableFuture::completedFuture);
    }

    private <T> CompletionStage<T> through(RedisConnector connector, Function<RedisConnection, CompletionStage<T>> use) {
        return connector.connect().thenCompose(use).whenComplete((done, failure) -> connector.close());
    }

    @Override
    public String explain(Throwable failure) {
        return first.explain(failure);
    }

    @Override
    public void close() {
        first.close();
    }
}
