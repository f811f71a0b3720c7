package io.holdfast.lettuce;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.testkit.RedisServers;
import io.holdfast.testkit.contract.LockContract;
import java.net.URI;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;

class LettuceLockContractTest extends LockContract {

    private static final Map<Size, RedisServers> SERVERS = new EnumMap<>(Size.class);

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(RedisServers::close);
        SERVERS.clear();
    }

    @Override
    protected Holdfast connect(Size size) {
        RedisServers servers = SERVERS.computeIfAbsent(size, LettuceLockContractTest::start);
        List<String> uris = servers.uris().stream().map(URI::toString).toList();
        return Holdfast.connect(uris, HoldfastOptions.DEFAULT.withMaxLease(LockOptions.MAX_LEASE));
    }

    private static RedisServers start(Size size) {
        RedisServers servers = RedisServers.start(size.nodes());
        for (int i = 0; i < size.dead(); i++) {
            servers.get(i).kill();
        }
        return servers;
    }
}
