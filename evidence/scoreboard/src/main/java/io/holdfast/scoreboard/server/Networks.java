package io.holdfast.scoreboard.server;

import io.holdfast.testkit.fault.ConnectionEnd;
import io.holdfast.testkit.fault.Direction;
import io.holdfast.testkit.fault.FaultProxy;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;

/** The network between each client and each server. */
public final class Networks implements AutoCloseable {

    private final List<List<FaultProxy>> byClient;

    /** Opens a path from each client to each server. */
    public Networks(int clients, List<URI> servers) {
        byClient = Stream.generate(() -> servers.stream().map(FaultProxy::to).toList())
                .limit(clients)
                .toList();
    }

    /** Returns the addresses to which a client connects. */
    public List<String> uris(int client) {
        return byClient.get(client).stream()
                .map(FaultProxy::uri)
                .map(URI::toString)
                .toList();
    }

    /** Passes nothing on in one direction between a client and all servers. */
    public void cut(int client, Direction direction) {
        byClient.get(client).forEach(network -> network.hold(direction));
    }

    /** Passes everything on between a client and all servers, what was held included. */
    public void restore(int client) {
        byClient.get(client).forEach(FaultProxy::pass);
    }

    /** Leads all clients to another server in the place of one, and ends their connections. */
    public void lead(int server, URI target) {
        byClient.forEach(networks -> {
            networks.get(server).lead(target);
            networks.get(server).drop(ConnectionEnd.RESET);
        });
    }

    @Override
    public void close() {
        byClient.forEach(networks -> networks.forEach(FaultProxy::close));
    }
}
