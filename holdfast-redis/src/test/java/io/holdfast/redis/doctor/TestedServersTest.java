package io.holdfast.redis.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.keys.ClasspathText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestedServersTest {

    @Test
    void all_areThoseOfTheTable() throws IOException {
        assertThat(TestedServers.all()).contains("Redis 6.2", "Redis 7.0").doesNotHaveDuplicates();
        assertThat(Files.readString(Path.of("../docs/nodes.md")))
                .contains(ClasspathText.read(TestedServers.class, "tested.md"));
        assertThat(Files.readString(Path.of("../README.md"))).contains(TestedServers.all());
    }

    @Test
    void of_info_isProductAndVersion() {
        assertThat(TestedServers.of(Map.of("redis_version", "7.0.15"))).isEqualTo("Redis 7.0");
        assertThat(TestedServers.of(Map.of("redis_version", "7.2.4", "valkey_version", "8.0.1")))
                .isEqualTo("Valkey 8.0");
        assertThat(TestedServers.of(Map.of())).isEqualTo("Redis ?");
    }
}
