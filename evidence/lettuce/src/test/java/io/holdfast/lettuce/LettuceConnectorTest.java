package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.redis.client.ConnectFailures;
import io.holdfast.redis.client.ServerAddress;
import io.holdfast.security.ConnectionSecurity;
import io.holdfast.security.Credentials;
import io.holdfast.servers.RedisServer;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import io.lettuce.core.RedisCommandTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The explanations of attempts that have failed. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class LettuceConnectorTest {

    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, Duration.ofMinutes(1)), false, LIMIT);

    private static String explained(boolean tls) {
        ServerAddress address = new ServerAddress("host", 6379, tls, null, 0);
        Time time = new VirtualTime();
        LettuceClient client = new LettuceClient(LIMIT, ConnectionSecurity.DEFAULT, time);
        LettuceConnector connector = new LettuceConnector(client, address, SETTINGS, ConnectionSecurity.DEFAULT, time);
        client.leave();
        try {
            return connector
                    .explain(new RedisCommandTimeoutException("timed out"))
                    .cause();
        } finally {
            connector.close();
        }
    }

    @Test
    void explain_silentServer_namesTheHandshakeIfTheAddressRequestsTls() {
        assertThat(explained(true)).startsWith("the TLS handshake did not end");
        assertThat(explained(false)).isEqualTo(ConnectFailures.silent().cause());
    }

    /** The server refuses the handshake at once, which on a busy machine may come before Lettuce looks for it. */
    @Test
    void connect_passwordIsWrong_hasAReason() {
        Time time = new SystemTime();
        LettuceClient client = new LettuceClient(LIMIT, ConnectionSecurity.DEFAULT, time);
        try (RedisServer server = RedisServer.start()) {
            server.exec("ACL", "SETUSER", "locks", "on", ">right");
            ServerAddress address =
                    new ServerAddress("127.0.0.1", server.port(), false, new Credentials("locks", "wrong"), 0);
            LettuceConnector connector =
                    new LettuceConnector(client, address, SETTINGS, ConnectionSecurity.DEFAULT, time);
            client.leave();
            for (int i = 0; i < 100; i++) {
                Throwable failure = connector
                        .connect()
                        .<Throwable>handle((connection, failed) -> failed)
                        .toCompletableFuture()
                        .join();
                assertThat(connector.explain(failure).cause()).doesNotContain("RedisHandshakeHandler");
            }
            connector.close();
        }
    }
}
