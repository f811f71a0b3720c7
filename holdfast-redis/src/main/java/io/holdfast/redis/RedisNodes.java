package io.holdfast.redis;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeTerms;
import io.holdfast.time.Time;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The nodes of one client: for each connector a node, with a connection that is kept. */
public final class RedisNodes {

    private RedisNodes() {}

    /**
     * Begins to connect to all of them by their connectors, waits as {@link io.holdfast.node.NodeProvider#connect} says, and returns the nodes in their order.
     *
     * @param client what connects to an address; whatever an address says of {@link Protocol} is taken off before
     * @throws IllegalArgumentException as the client does, or if an address asks for no known {@link Protocol}
     */
    public static List<LockNode> connect(
            List<URI> addresses, Function<URI, ? extends RedisConnector> client, NodeTerms terms, Time time) {
        List<Protocol> protocols = addresses.stream().map(Protocol::of).toList();
        List<Supervisor> supervisors = connectors(addresses, client).stream()
                .map(connector -> new Supervisor(connector, time))
                .toList();
        Arrivals arrivals = new Arrivals(supervisors.size(), time);
        supervisors.forEach(supervisor -> supervisor.start().thenAccept(arrivals::count));
        await(arrivals, terms.connectTimeout());
        Neighbours neighbours = new Neighbours();
        return IntStream.range(0, supervisors.size())
                .mapToObj(i -> node(protocols.get(i), supervisors.get(i), terms, neighbours))
                .toList();
    }

    /** One for each address, or none. */
    private static List<RedisConnector> connectors(
            List<URI> addresses, Function<URI, ? extends RedisConnector> client) {
        List<RedisConnector> made = new ArrayList<>();
        try {
            for (URI address : addresses) {
                URI plain = Protocol.strip(address);
                made.add(Address.isSentinel(plain) ? new SentinelConnector(plain, client) : client.apply(plain));
            }
            return made;
        } catch (RuntimeException e) {
            made.forEach(RedisConnector::close);
            throw e;
        }
    }

    private static LockNode node(Protocol protocol, RedisPort port, NodeTerms terms, Neighbours neighbours) {
        return switch (protocol) {
            case SCRIPTS -> new RedisLockNode(port, terms, neighbours);
            case TRANSACTIONS -> new TransactionNode(port, terms, neighbours, KeyForm.OWNER);
            case TIMESTAMPS -> new TransactionNode(port, terms, neighbours, KeyForm.MILLIS);
            case TIMESTAMPS_IN_SECONDS -> new TransactionNode(port, terms, neighbours, KeyForm.SECONDS);
        };
    }

    private static void await(Arrivals arrivals, Duration connectTimeout) {
        try {
            arrivals.enough().get(connectTimeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // What is missing is tried on in the background.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Arrivals never fail", e);
        }
    }
}
