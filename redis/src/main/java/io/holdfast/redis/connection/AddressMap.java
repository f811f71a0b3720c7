package io.holdfast.redis.connection;

import io.holdfast.node.NodeAddress.Host;
import io.holdfast.redis.client.ServerAddress;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The places where this client reaches the servers that a Sentinel or a cluster names. These may know the servers by
 * addresses of a network that the client is not part of. Immutable.
 *
 * @param reached the reachable host of each named one; a host without a port stands for all its ports
 */
public record AddressMap(Map<Host, Host> reached) {

    private static final int GREATEST_PORT = 65_535;

    /**
     * Returns the address at which a named server is reached, otherwise in the same way as the server that names it.
     * Empty if the name is not valid.
     */
    public Optional<ServerAddress> locate(ServerAddress source, String host, long port) {
        if (port < 1 || port > GREATEST_PORT) {
            return Optional.empty();
        }
        Host named = new Host(host, OptionalInt.of((int) port));
        @Nullable Host place = reached.get(named);
        if (place == null) {
            place = reached.getOrDefault(new Host(host, OptionalInt.empty()), named);
        }
        return source.at(place.name(), place.port().orElse((int) port));
    }
}
