package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.lease.FencingToken;
import io.holdfast.redis.client.RequiredAcl;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Java example of the README, run on real servers. */
@Tag("server")
class ReadmeTest {

    private static final Path THIS = Path.of("src/test/java/io/holdfast/lettuce/ReadmeTest.java");

    private final Orders orders = new Orders();

    @Test
    void readme_example_works() throws InterruptedException {
        try (RedisServers servers = RedisServers.start(3)) {
            String a = servers.get(0).uri().toString();
            String b = servers.get(1).uri().toString();
            String c = servers.get(2).uri().toString();
            try (Holdfast holdfast = Holdfast.connect(a, b, c)) {
                DistributedLock lock = holdfast.lock("order:42");
                try (Lease lease = lock.acquire(Duration.ofSeconds(5))) {
                    lease.onLost(loss -> orders.stop(42));
                    orders.ship(42, lease.fencingToken());
                }
                boolean billed = lock.tryRun(held -> orders.bill(42));
                assertThat(billed).isTrue();
            }
        }
        assertThat(orders.shipped).hasSize(1);
    }

    @Test
    void operations_permissionsOfAUser_areTheTestedOnes() throws IOException {
        assertThat(Files.readString(Path.of("../../docs/operations.md"))).contains("`" + RequiredAcl.text() + "`");
    }

    /** Every line of the README's example except the addresses occurs in this file. */
    @Test
    void readme_example_equalsTheTestedOne() throws IOException {
        String here = Files.readString(THIS);
        List<String> example = Files.readString(Path.of("../../README.md"))
                .lines()
                .dropWhile(line -> !line.equals("```java"))
                .skip(1)
                .takeWhile(line -> !line.equals("```"))
                .map(line -> line.replaceFirst("\\s+//.*", "").strip())
                .filter(line -> !line.contains("Holdfast.connect"))
                .toList();

        assertThat(example)
                .hasSizeGreaterThan(5)
                .allSatisfy(line -> assertThat(here).contains(line));
    }

    private static final class Orders {

        private final List<FencingToken> shipped = new ArrayList<>();

        void ship(int order, FencingToken token) {
            assertThat(order).isEqualTo(42);
            shipped.add(token);
        }

        void bill(int order) {
            assertThat(order).isEqualTo(42);
        }

        void stop(int order) {
            shipped.removeIf(token -> order == 42);
        }
    }
}
