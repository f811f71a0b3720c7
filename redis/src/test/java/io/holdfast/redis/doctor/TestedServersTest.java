package io.holdfast.redis.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.connection.ServerInfo;
import io.holdfast.redis.file.ClasspathText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestedServersTest {

    @Test
    void all_returnsEachServerOfTheFileOnce() {
        assertThat(TestedServers.all()).contains("Redis 6.2", "Redis 7.0").doesNotHaveDuplicates();
    }

    @Test
    void documents_listTheServersOfTheFile() throws IOException {
        assertThat(Files.readString(Path.of("../docs/nodes.md")))
                .as("docs/nodes.md must contain the table of " + TestedServers.FILE)
                .contains(table(ClasspathText.read(TestedServers.class, TestedServers.FILE)));
        assertThat(Files.readString(Path.of("../README.md"))).contains(TestedServers.all());
    }

    /** Returns the Markdown table of the file, whose cells contain no commas. */
    private static String table(String csv) {
        List<String> rows =
                new ArrayList<>(csv.lines().map(TestedServersTest::row).toList());
        int columns = csv.lines().findFirst().orElseThrow().split(",", -1).length;
        rows.add(1, "|" + "---|".repeat(columns));
        return String.join("\n", rows) + "\n";
    }

    private static String row(String line) {
        return "| " + String.join(" | ", line.split(",", -1)) + " |";
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
