package io.holdfast.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.servers.RedisServer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The threads of a connection end with it. */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class JedisConnectionThreadsTest {

    private static final int CONNECTIONS = 100;

    @Test
    void close_manyConnections_endsTheirThreads() throws InterruptedException {
        try (RedisServer server = RedisServer.start()) {
            List<String> uris = List.of(server.uri().toString());
            for (int i = 0; i < CONNECTIONS; i++) {
                Holdfast.connect(uris, HoldfastOptions.DEFAULT, new JedisNodes())
                        .close();
            }

            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread.getName().startsWith("holdfast-jedis")
                        && thread.getName().endsWith(":" + server.port())) {
                    thread.join(10_000);
                    assertThat(thread.isAlive()).as(thread.getName()).isFalse();
                }
            }
        }
    }
}
