package io.holdfast.redis.connection;

import io.holdfast.node.NodeAddress;
import io.holdfast.redis.client.ConnectFailure;
import io.holdfast.redis.client.RedisAddress;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.RedisConnector;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.ServerAddress;
import io.holdfast.redis.keys.ReplyParser;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Connects to the master that Sentinels name, asking one Sentinel after another. Asks again for each new connection and
 * every few seconds, since the master may have changed. Ends a connection when they name another server.
 *
 * @see <a href="https://redis.io/docs/latest/develop/reference/sentinel-clients/">Guidelines for Sentinel clients</a>
 */
public final class SentinelConnector implements RedisConnector {

    /**
     * The time between two questions, and so about the longest for which a client stays with the old master. That one
     * says that it is a master until a Sentinel demotes it, seconds after the clients that ask were sent elsewhere.
     */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(5);

    private static final Pattern PORT = Pattern.compile("\\d{1,5}");

    private final NodeAddress address;
    private final String master;
    private final List<ServerAddress> sentinels;
    private final Function<ServerAddress, ? extends RedisConnector> client;
    private final Function<ServerAddress, ? extends RedisConnector> sentinelClient;
    private final AddressMap addresses;
    private final Time time;
    /** The connector of the first Sentinel, kept open to keep the shared resources of the client. */
    private final RedisConnector first;

    /**
     * Creates a connector.
     *
     * @param client connects to the master
     * @param sentinelClient connects to a Sentinel
     * @param addresses where the master is reached that the Sentinels name
     * @throws IllegalArgumentException if the address does not name the master
     */
    public SentinelConnector(
            NodeAddress address,
            Function<ServerAddress, ? extends RedisConnector> client,
            Function<ServerAddress, ? extends RedisConnector> sentinelClient,
            AddressMap addresses,
            Time time) {
        if (address.fragment().isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + address + "' does not say which master; write redis-sentinel://host:26379,host:26379#name");
        }
        this.address = address;
        this.master = address.fragment();
        this.sentinels = RedisAddress.sentinels(address);
        this.client = client;
        this.sentinelClient = sentinelClient;
        this.addresses = addresses;
        this.time = time;
        this.first = sentinelClient.apply(sentinels.get(0));
    }

    @Override
    public String name() {
        return address.toString();
    }

    @Override
    public CompletionStage<RedisConnection> connect() {
        return master().thenCompose(this::connectToMaster);
    }

    private CompletionStage<RedisConnection> connectToMaster(ServerAddress server) {
        RedisConnector connector = client.apply(server);
        return connectTo(connector, connection -> {
                    time.repeat(CHECK_INTERVAL, () -> check(connection, server));
                    return CompletableFuture.completedFuture(connection);
                })
                .exceptionallyCompose(failure -> {
                    ConnectFailure reason = connector.explain(failure);
                    String cause = "the master that the Sentinels name, " + server + ": " + reason.cause();
                    return CompletableFuture.failedFuture(new ConnectFailure(cause, reason.lasting()).asException());
                });
    }

    /**
     * Ends the connection as soon as the Sentinels name another server. If none of them answers, nothing has changed.
     */
    private boolean check(RedisConnection connection, ServerAddress server) {
        boolean connected = !connection.ended().isDone();
        if (connected) {
            master().thenAccept(named -> {
                if (!named.equals(server)) {
                    connection.close();
                }
            });
        }
        return connected;
    }

    /** Returns the address of the master. Never throws, whatever the client does. */
    private CompletionStage<ServerAddress> master() {
        return CompletableFuture.completedFuture(List.<ConnectFailure>of()).thenCompose(this::ask);
    }

    /** Asks the next Sentinel. A failure lasts only if that of each Sentinel does. */
    private CompletionStage<ServerAddress> ask(List<ConnectFailure> failures) {
        if (failures.size() == sentinels.size()) {
            String causes = failures.stream().map(ConnectFailure::cause).collect(Collectors.joining("; "));
            return CompletableFuture.failedFuture(new ConnectFailure(
                            "no Sentinel leads to a master called '" + master + "': " + causes,
                            failures.stream().allMatch(ConnectFailure::lasting))
                    .asException());
        }
        ServerAddress sentinel = sentinels.get(failures.size());
        return connectTo(
                        sentinelClient.apply(sentinel),
                        connection -> connection
                                .send(List.of("SENTINEL", "get-master-addr-by-name", master))
                                .thenApply(reply -> {
                                    connection.close();
                                    return reply;
                                }))
                .handle((reply, failure) -> {
                    Optional<ServerAddress> server =
                            failure == null ? server(RedisReplies.list(reply)) : Optional.empty();
                    if (server.isPresent()) {
                        return CompletableFuture.completedFuture(server.get());
                    }
                    ConnectFailure reason = failure == null ? reason(reply) : first.explain(failure);
                    List<ConnectFailure> all = new ArrayList<>(failures);
                    all.add(new ConnectFailure(sentinel + ": " + reason.cause(), reason.lasting()));
                    return ask(all);
                })
                .thenCompose(next -> next);
    }

    /** Returns the reason why a reply names no master. */
    private static ConnectFailure reason(RedisReply reply) {
        if (reply instanceof RedisReply.ServerError error) {
            return ConnectFailure.ofServer(error.message(), ServerAddress.Role.SENTINEL);
        }
        if (!(reply instanceof RedisReply.Value value)) {
            return ConnectFailure.passing(ReplyParser.failure(reply).cause());
        }
        return ConnectFailure.passing(
                value.value() == null
                        ? "it knows none"
                        : "it names one without a valid address; see its sentinel monitor and the master's "
                                + "announce-ip");
    }

    /** Returns the address of the master that a Sentinel names, or empty if it names none. */
    private Optional<ServerAddress> server(List<?> endpoint) {
        return endpoint.size() == 2
                        && endpoint.get(0) instanceof String host
                        && endpoint.get(1) instanceof String port
                        && PORT.matcher(port).matches()
                ? addresses.locate(RedisAddress.servers(address).get(0), host, Long.parseLong(port))
                : Optional.empty();
    }

    private <T> CompletionStage<T> connectTo(
            RedisConnector connector, Function<RedisConnection, CompletionStage<T>> use) {
        return connector.connect().thenCompose(use).whenComplete((done, failure) -> connector.close());
    }

    @Override
    public ConnectFailure explain(Throwable failure) {
        Throwable outermost = failure instanceof CompletionException ? failure.getCause() : failure;
        return outermost instanceof ConnectFailure.Explained explained ? explained.failure() : first.explain(failure);
    }

    @Override
    public CompletionStage<?> close() {
        return first.close();
    }
}
