package io.holdfast.lettuce;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.testkit.RedisServers;
import io.holdfast.testkit.contract.ClientsContract.Size;
import java.net.URI;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Real servers for a contract, the same for each of its tests. */
final class ServersBySize implements AutoCloseable {

    private final Map<Size, RedisServers> servers = new EnumMap<>(Size.class);

    Holdfast connect(Size size) {
        List<String> uris = servers.computeIfAbsent(size, ServersBySize::start).uris().stream()
                .map(URI::toString)
                .toList();
        return Holdfast.connect(uris, HoldfastOptions.DEFAULT.withMaxLease(LockOptions.MAX_LEASE));
    }

    private static RedisServers start(Size size) {
        RedisServers servers = RedisServers.start(size.nodes());
        for (int i = 0; i < size.dead(); i++) {
            servers.get(i).kill();
        }
        return servers;
    }

    @Override
    public void close() {
        servers.values().forEach(RedisServers::close);
        servers.clear();
    }
}
