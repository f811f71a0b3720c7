package io.holdfast.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastOptions;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class DemoClientThreadTest {

    @AutoClose
    private final RedisServers servers = RedisServers.start(1);

    private final AtomicInteger attempts = new AtomicInteger();

    private DemoClientThread client(DemoClientThread.Work work) {
        return new DemoClientThread(
                "client",
                servers.addresses(),
                HoldfastOptions.builder().maxLease(Duration.ofSeconds(15)).build(),
                work,
                Duration.ofSeconds(1));
    }

    @Test
    void kill_twice_beginsAgain() throws Exception {
        DemoClientThread client = client((self, holdfast) -> {
            attempts.incrementAndGet();
            self.pause(Duration.ofMinutes(10));
        });
        client.start();
        try {
            Eventually.eventually("the first attempt", () -> attempts.get() == 1);
            client.kill();
            Eventually.eventually("the end", () -> client.state().equals("killed"));
            client.kill();
            Eventually.eventually("the next attempt", () -> attempts.get() == 2);
            assertThat(client.isKilled()).isFalse();
        } finally {
            client.close();
        }
    }

    @Test
    void attempt_anyFailure_isRepeated() throws Exception {
        DemoClientThread client = client((self, holdfast) -> {
            attempts.incrementAndGet();
            throw new IllegalStateException("planned");
        });
        client.start();
        try {
            Eventually.eventually("two attempts", () -> attempts.get() >= 2);
        } finally {
            client.close();
        }
    }
}
