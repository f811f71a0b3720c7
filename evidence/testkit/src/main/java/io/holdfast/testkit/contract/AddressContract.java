package io.holdfast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.servers.ClusterServers;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A contract for any Redis client: addresses whose hosts are numbers of IPv6, on real servers. */
public abstract class AddressContract {

    private static final String PASSWORD = "s3cret";
    private static final RedisServerOptions ON_BOTH =
            RedisServerOptions.DEFAULT.withPassword(PASSWORD).withConfig("bind 127.0.0.1 ::1");

    @BeforeAll
    static void requireIpv6() {
        assumeTrue(hasIpv6(), "this machine has no IPv6 loopback address");
    }

    private static boolean hasIpv6() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getAllByName("::1")[0])) {
            return socket.isBound();
        } catch (IOException none) {
            return false;
        }
    }

    @Test
    void acquire_serverByItsNumber_isGrantedAndNamed() throws Exception {
        try (RedisServer server = RedisServer.start(ON_BOTH);
                Holdfast client = Holdfast.connect("redis://:" + PASSWORD + "@[::1]:" + server.port() + "/1")) {
            try (Lease lease = client.lock("a", PatientOptions.LOCK).acquire()) {
                assertThat(lease.state().isValid()).isTrue();
            }
            assertThat(client.nodes().get(0).name()).isEqualTo("redis://[::1]:" + server.port() + "/1");
        }
    }

    /** The first of the servers is not there, so the others have to be read from the address, too. */
    @Test
    void acquire_severalShardsByTheirNumbers_isGranted() throws Exception {
        RedisServerOptions shard = ON_BOTH.withConfig("cluster-enabled yes");
        try (RedisServer server = RedisServer.start(shard)) {
            ClusterServers.ofOne(server);
            try (Holdfast client = Holdfast.connect(
                    List.of("redis-cluster://:" + PASSWORD + "@[::1]:1,[::1]:" + server.port()),
                    PatientOptions.CLIENT)) {
                client.lock("a", PatientOptions.LOCK).acquire().close();

                assertThat(client.nodes().get(0).name()).isEqualTo("redis-cluster://[::1]:1,[::1]:" + server.port());
            }
        }
    }
}
