package io.holdfast.test;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import java.util.List;

/** Redis-servers that run as long as the extension. A flush between tests is no reason for a quarantine here. */
final class NodesOnServers implements LockNodes {

    private final RedisServers servers;

    private NodesOnServers(RedisServers servers) {
        this.servers = servers;
    }

    /**
     * Starts servers.
     *
     * @throws IllegalStateException if the module that starts them is not on the class path
     */
    static LockNodes start(int count) {
        try {
            return new NodesOnServers(RedisServers.start(count));
        } catch (NoClassDefFoundError missing) {
            throw new IllegalStateException(
                    "Tests on servers need io.holdfast:holdfast-servers and io.holdfast:holdfast-lettuce (or "
                            + "holdfast-jedis)"
                            + " on the class path; add them with scope test",
                    missing);
        }
    }

    @Override
    public Holdfast connect() {
        HoldfastOptions options = PatientOptions.CLIENT.toBuilder()
                .restarts(RestartPolicy.UNSAFE_IMMEDIATE)
                .build();
        return Holdfast.connect(servers.addresses(), options);
    }

    @Override
    public List<String> addresses() {
        return servers.addresses();
    }

    @Override
    public void close() {
        servers.close();
    }
}
