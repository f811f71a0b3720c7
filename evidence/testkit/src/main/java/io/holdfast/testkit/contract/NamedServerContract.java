package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.HoldfastOptionsBuilder;
import io.holdfast.Lease;
import io.holdfast.security.Credentials;
import io.holdfast.servers.ClusterServers;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.SentinelServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A contract for any Redis client: servers that a Sentinel or a cluster names, with passwords of their own and with
 * addresses of a network that the client is not part of.
 */
public abstract class NamedServerContract {

    private static final String OF_MASTER = "of-the-master";
    private static final String OF_SENTINEL = "of-the-sentinel";

    /** An address for documentation, which no server has (RFC 5737). */
    private static final String ELSEWHERE = "192.0.2.1";

    @TempDir
    private Path directory;

    private static HoldfastOptionsBuilder options() {
        return PatientOptions.CLIENT.toBuilder().credentials(() -> new Credentials("", OF_MASTER));
    }

    private static void requireGranted(String address, HoldfastOptions options) throws Exception {
        try (Holdfast client = Holdfast.connect(List.of(address), options);
                Lease lease = client.lock("a", PatientOptions.LOCK).acquire()) {
            assertThat(lease.isValid()).isTrue();
        }
    }

    private static void requireFailure(String address, HoldfastOptions options, String... parts) {
        try (Holdfast client = Holdfast.connect(List.of(address), options)) {
            assertThatThrownBy(() -> client.lock("a", PatientOptions.LOCK).tryAcquire())
                    .hasMessageContainingAll(parts);
        }
    }

    /** The usual charts for Kubernetes give Sentinels a password. */
    @Test
    void acquire_sentinelRequiresAPassword_isGrantedWithItAndElseNamesTheRemedy() throws Exception {
        try (RedisServer master = RedisServer.start(RedisServerOptions.DEFAULT.withPassword(OF_MASTER));
                SentinelServer sentinel = SentinelServer.start(master, directory)) {
            sentinel.requirePassword(OF_SENTINEL);

            requireGranted(
                    sentinel.address(),
                    options()
                            .sentinelCredentials(() -> new Credentials("", OF_SENTINEL))
                            .build());
            requireFailure(sentinel.address(), options().build(), "NOAUTH: the Sentinel", "sentinelCredentials");
            requireFailure(
                    sentinel.address(),
                    options()
                            .sentinelCredentials(() -> new Credentials("", "wrong"))
                            .build(),
                    "WRONGPASS: the user or the password of the Sentinels");
            requireFailure(
                    sentinel.address(),
                    options()
                            .credentials(() -> new Credentials("", "wrong"))
                            .sentinelCredentials(() -> new Credentials("", OF_SENTINEL))
                            .build(),
                    "the master that the Sentinels name",
                    "WRONGPASS: the user or the password is wrong");
        }
    }

    @Test
    void acquire_sentinelNamesAnUnreachableAddress_isGrantedWhereItIsReached() throws Exception {
        try (RedisServer master = RedisServer.start(RedisServerOptions.DEFAULT.withPassword(OF_MASTER));
                SentinelServer sentinel = SentinelServer.start(master, directory)) {
            sentinel.monitor("elsewhere", ELSEWHERE, 6379);

            requireGranted(
                    sentinel.address("elsewhere"),
                    options()
                            .addressMap(Map.of(ELSEWHERE + ":6379", "127.0.0.1:" + master.port()))
                            .build());
        }
    }

    @Test
    void acquire_clusterNamesAnUnreachableAddress_isGrantedWhereItIsReached() throws Exception {
        try (RedisServer shard = RedisServer.start(RedisServerOptions.DEFAULT.withConfig("cluster-enabled yes"))) {
            ClusterServers.ofOne(shard);
            shard.exec("CONFIG", "SET", "cluster-announce-ip", ELSEWHERE);
            eventually(
                    "the shard names another address",
                    () -> String.valueOf(shard.exec("CLUSTER", "SLOTS")).contains(ELSEWHERE));

            requireGranted(
                    "redis-cluster://127.0.0.1:" + shard.port(),
                    PatientOptions.CLIENT.toBuilder()
                            .addressMap(Map.of(ELSEWHERE, "127.0.0.1"))
                            .build());
        }
    }

    @Test
    void acquire_noSentinel_namesTheRemedy() {
        try (RedisServer server = RedisServer.start()) {
            String address = "redis-sentinel://127.0.0.1:" + server.port() + "#locks";

            requireFailure(address, PatientOptions.CLIENT, "not a Sentinel", "write redis://");
        }
    }
}
