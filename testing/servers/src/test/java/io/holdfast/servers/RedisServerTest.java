package io.holdfast.servers;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
final class RedisServerTest {

    private static final RedisServerOptions DURABLE = RedisServerOptions.DEFAULT.withAppendonly(Appendonly.ALWAYS);
    private static final Duration BRIEF = Duration.ofMillis(100);

    @Test
    void exec_eachKindOfReply_isDecoded() {
        try (RedisServer server = RedisServer.start()) {
            assertThat(server.uri()).hasToString("redis://127.0.0.1:" + server.port());
            assertThat(server.exec("SET", "k", "ü")).isEqualTo("OK");
            assertThat(server.exec("GET", "k")).isEqualTo("ü");
            assertThat(server.exec("GET", "none")).isNull();
            assertThat(server.exec("DEL", "k")).isEqualTo(1L);
            assertThat(server.exec("MGET", "k", "none")).isEqualTo(Arrays.asList(null, null));
            assertThatThrownBy(() -> server.exec("INCR")).isInstanceOf(RedisReplyException.class);
        }
    }

    @Test
    void start_default_persistsNothing() {
        try (RedisServer server = RedisServer.start()) {
            assertThat(server.exec("CONFIG", "GET", "save")).isEqualTo(List.of("save", ""));
            assertThat(server.exec("CONFIG", "GET", "appendonly")).isEqualTo(List.of("appendonly", "no"));
            assertThat(server.exec("CONFIG", "GET", "bind")).isEqualTo(List.of("bind", "127.0.0.1"));
        }
    }

    @Test
    void start_withPassword_requiresItAndShowsItOnlyInTheUri() throws IOException {
        RedisServerOptions options = RedisServerOptions.DEFAULT.withPassword("p@ss/w#1");
        try (RedisServer server = RedisServer.start(options);
                RespClient stranger = new RespClient(server.port(), Eventually.BOUND)) {
            assertThat(server.uri().toString()).contains(":p%40ss%2Fw%231@");
            assertThat(server.exec("PING")).isEqualTo("PONG");
            assertThatThrownBy(() -> stranger.exec("PING")).hasMessageContaining("NOAUTH");
            assertThat(options.toString()).doesNotContain("p@ss/w#1");
        }
    }

    @Test
    void start_portTakenBeforeBind_usesAnother() throws IOException {
        try (ServerSocket squatter = FreePorts.listen(0)) {
            int free = FreePorts.next();
            Iterator<Integer> ports = List.of(squatter.getLocalPort(), free).iterator();
            try (RedisServer server = RedisServer.start(RedisServerOptions.DEFAULT, ports::next)) {
                assertThat(server.port()).isEqualTo(free);
            }
        }
    }

    @Test
    void start_allPortsAreTaken_failsWithTheReason() {
        try (RedisServer first = RedisServer.start()) {
            assertThatThrownBy(() -> RedisServer.start(RedisServerOptions.DEFAULT, first::port))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("on port " + first.port())
                    .hasMessageContaining("Address already in use");
            assertThat(first.exec("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void start_invalidConfig_failsWithTheEndOfTheLog() {
        assertThatThrownBy(() -> RedisServer.start(RedisServerOptions.DEFAULT.withConfig("no-such-option 1")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no-such-option");
    }

    @Test
    void stop_running_endsTheServer() {
        try (RedisServer server = RedisServer.start()) {
            server.stop();
            assertThat(server.isAlive()).isFalse();
            assertThatThrownBy(() -> server.exec("PING")).isInstanceOf(UncheckedIOException.class);
            server.stop();
        }
    }

    @Test
    void stop_frozen_endsTheServer() {
        try (RedisServer server = RedisServer.start()) {
            server.freeze();
            server.stop();
            assertThat(server.isAlive()).isFalse();
        }
    }

    @Test
    void freeze_running_repliesOnlyAfterTheThaw() throws IOException {
        try (RedisServer server = RedisServer.start();
                RespClient client = new RespClient(server.port(), Eventually.BOUND)) {
            client.exec("PING");
            server.freeze();
            client.send("SET", "late", "1");
            assertThatThrownBy(() -> server.exec(BRIEF, "PING")).isInstanceOf(UncheckedIOException.class);
            assertThat(server.isAlive()).isTrue();
            server.thaw();
            assertThat(client.receive()).isEqualTo("OK");
            assertThat(server.exec("GET", "late")).isEqualTo("1");
        }
    }

    @Test
    void restartEmpty_durable_losesAllDataAndKeepsThePort() {
        try (RedisServer server = RedisServer.start(DURABLE)) {
            long pid = server.pid();
            server.exec("SET", "k", "v");
            server.restartEmpty();
            assertThat(server.exec("DBSIZE")).isEqualTo(0L);
            assertThat(server.pid()).isNotEqualTo(pid);
        }
    }

    @Test
    void restartEmpty_frozen_repliesAgain() {
        try (RedisServer server = RedisServer.start()) {
            server.freeze();
            server.restartEmpty();
            assertThat(server.exec("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void restartKeepingMemory_killed_keepsKeys() {
        try (RedisServer server = RedisServer.start(DURABLE)) {
            server.exec("SET", "k", "v");
            server.kill();
            assertThat(server.isAlive()).isFalse();
            server.restartKeepingMemory();
            assertThat(server.exec("GET", "k")).isEqualTo("v");
        }
    }

    @Test
    void restartKeepingMemory_withoutAppendonly_isRejected() {
        try (RedisServer server = RedisServer.start()) {
            assertThatThrownBy(server::restartKeepingMemory).hasMessageContaining("restartEmpty()");
            assertThat(server.exec("PING")).isEqualTo("PONG");
        }
    }

    @Test
    void close_frozen_endsTheProcessAndDeletesItsDirectory() {
        RedisServer server = RedisServer.start();
        Path directory = Path.of(server.exec("CONFIG", "GET", "dir") instanceof List<?> reply ? "" + reply.get(1) : "");
        assertThat(directory).isDirectory();
        server.freeze();
        server.close();
        assertThat(ProcessHandle.of(server.pid())).isEmpty();
        assertThat(directory.getParent()).doesNotExist();
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "killed"})
    void shutdown_serverNotClosed_killsItAndDeletesItsDirectory(String how, @TempDir Path directory) throws Exception {
        Path started = directory.resolve("started");
        Process jvm = leaveAServer(how.isEmpty() ? List.of(started.toString()) : List.of(started.toString(), how));

        assertThat(jvm.waitFor()).isEqualTo(how.isEmpty() ? 0 : 137);
        List<String> server = Files.readAllLines(started);
        long pid = Long.parseLong(server.get(0));
        Path temporary = Objects.requireNonNull(Path.of(server.get(1)).getParent());
        eventually("the server is gone", () -> ProcessHandle.of(pid).isEmpty());
        eventually("its directory is gone", () -> !Files.exists(temporary));
    }

    private static Process leaveAServer(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LeavesAServer.class.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command).inheritIO().start();
    }

    /** A system gives the ids of ended processes to others. */
    @Test
    void shutdown_idOfTheServerIsThatOfAnotherProgram_leavesIt(@TempDir Path directory) throws Exception {
        Path started = directory.resolve("started");
        Process other = new ProcessBuilder("sleep", "1000").start();
        try {
            Process jvm = leaveAServer(List.of(started.toString(), Long.toString(other.pid())));

            assertThat(jvm.waitFor()).isEqualTo(137);
            List<String> server = Files.readAllLines(started);
            Path temporary = Objects.requireNonNull(Path.of(server.get(1)).getParent());
            eventually("its directory is gone", () -> !Files.exists(temporary));

            assertThat(other.isAlive()).isTrue();
            ProcessHandle.of(Long.parseLong(server.get(0))).ifPresent(ProcessHandle::destroyForcibly);
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void start_threeServers_areIndependent() {
        try (RedisServers servers = RedisServers.start(3)) {
            servers.get(0).exec("SET", "k", "v");
            assertThat(servers.get(1).exec("GET", "k")).isNull();
            assertThat(servers.uris()).doesNotHaveDuplicates().hasSize(3);
        }
    }
}
