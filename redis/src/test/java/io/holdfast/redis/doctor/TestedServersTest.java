package io.holdfast.redis.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.connection.ServerInfo;
import io.holdfast.redis.file.ClasspathText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestedServersTest {

    @Test
    void all_returnsEachServerOfTheFileOnce() {
        assertThat(TestedServers.all()).contains("Redis 6.2", "Redis 7.0").doesNotHaveDuplicates();
    }

    /** The page says that all tests pass on these servers. */
    @Test
    void documents_listTheServersOfTheFile() throws IOException {
        List<String> rows = ClasspathText.read(TestedServers.class, TestedServers.FILE)
                .lines()
                .skip(1)
                .toList();

        assertThat(rows).allMatch(row -> row.matches("[^,]+,[^,]+(,all \\d+)+"));
        assertThat(Files.readString(Path.of("../docs/nodes.md")))
                .contains(rows.stream().map(row -> row.split(",", 2)[0]).toList());
        assertThat(Files.readString(Path.of("../README.md"))).contains(TestedServers.all());
    }

    @Test
    void of_info_returnsProductAndMinorVersion() {
        assertThat(TestedServers.of(info("redis_version:7.0.15"))).isEqualTo("Redis 7.0");
        assertThat(TestedServers.of(info("redis_version:7.2.4\r\nvalkey_version:8.0.1")))
                .isEqualTo("Valkey 8.0");
        assertThat(TestedServers.of(info(""))).isEqualTo("Redis ?");
    }

    private static ServerInfo info(String text) {
        return ServerInfo.of(new RedisReply.Value(text)).orElseThrow();
    }
}
