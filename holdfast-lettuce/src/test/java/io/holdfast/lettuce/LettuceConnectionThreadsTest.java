package io.holdfast.lettuce;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.testkit.fault.FaultProxy;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests that the threads of Lettuce end with the client. */
@Timeout(60)
@Tag("server")
@Isolated("counts the threads of Lettuce in the whole process")
class LettuceConnectionThreadsTest {

    @Test
    void close_claimsPending_endsTheThreads() {
        try (RedisServer server = RedisServer.start();
                FaultProxy network = FaultProxy.to(server.uri())) {
            Holdfast client =
                    Holdfast.connect(List.of(network.uri().toString()), HoldfastOptions.DEFAULT, new LettuceNodes());
            network.hold();
            client.lock("a").acquireAsync();
            assertThat(lettuceThreads()).isPositive();

            client.close();

            eventually("the threads have ended", () -> lettuceThreads() == 0);
        }
    }

    private static long lettuceThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("lettuce-") && thread.isAlive())
                .count();
    }
}
