package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Java examples of the README, run on real servers. */
@Tag("server")
class ReadmeTest {

    private static final Path THIS = Path.of("src/test/java/io/holdfast/lettuce/ReadmeTest.java");

    private final Orders orders = new Orders();
    private final Reports reports = new Reports();

    @Test
    void readme_examples_work() throws InterruptedException {
        try (RedisServers servers = RedisServers.start(3)) {
            String a = servers.get(0).uri().toString();
            String b = servers.get(1).uri().toString();
            String c = servers.get(2).uri().toString();
            try (Holdfast holdfast = Holdfast.connect(a, b, c)) {
                try (Lease lease = holdfast.lock("order:42").acquire(Duration.ofSeconds(5))) {
                    lease.onLost(loss -> orders.stop(42));
                    orders.ship(42, lease.fencingToken());
                }
                boolean ran = holdfast.lock("report").tryRun(lease -> reports.write());
                assertThat(ran).isTrue();
            }
        }
        assertThat(orders.shipped).hasSize(1);
        assertThat(reports.written).isOne();
    }

    @Test
    void operations_permissionsOfAUser_areTheTestedOnes() throws IOException {
        assertThat(Files.readString(Path.of("../../docs/operations.md"))).contains("`" + RequiredAcl.text() + "`");
    }

    /** Every line of the README's examples except the addresses and the annotated method occurs in this file. */
    @Test
    void readme_examples_equalTheTestedOnes() throws IOException {
        String here = Files.readString(THIS);
        List<String> examples = Pattern.compile("```java\\n(?!@)(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../../README.md")))
                .results()
                .flatMap(block -> block.group(1).lines())
                .map(line -> line.replaceFirst("\\s+//.*", "").strip())
                .filter(line -> !line.contains("Holdfast.connect"))
                .toList();

        assertThat(examples)
                .hasSizeGreaterThan(5)
                .allSatisfy(line -> assertThat(here).contains(line));
    }

    private static final class Orders {

        private final List<FencingToken> shipped = new ArrayList<>();

        void ship(int order, FencingToken token) {
            assertThat(order).isEqualTo(42);
            shipped.add(token);
        }

        void stop(int order) {
            shipped.removeIf(token -> order == 42);
        }
    }

    private static final class Reports {

        private int written;

        void write() {
            written++;
        }
    }
}
