package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.servers.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The part of the scripts that recognizes a process, on a real server with another {@code INFO}. */
@Tag("server")
class MarkerScriptTest {

    @Test
    void isSameProcess_infoHasNoReplicationHistory_failsAndGrantsNothing() throws IOException {
        try (RedisServer server = RedisServer.start()) {
            assertThat(server.exec("EVAL", script("master_replid2:" + "0".repeat(40)), "0"))
                    .isEqualTo(1L);
            assertThatThrownBy(() -> server.exec("EVAL", script("role:master"), "0"))
                    .hasMessageContaining("its INFO has no master_replid2");
        }
    }

    private static String script(String info) throws IOException {
        try (InputStream marker = Objects.requireNonNull(
                MarkerScriptTest.class.getResourceAsStream("/io/holdfast/redis/script/lib/marker.lua"))) {
            return "local redis = {call = function(name) return name == 'INFO' and '" + info + "' or {} end}\n"
                    + new String(marker.readAllBytes(), StandardCharsets.UTF_8)
                    + "\nread_marker() return is_same_process('a', 'a')";
        }
    }
}
