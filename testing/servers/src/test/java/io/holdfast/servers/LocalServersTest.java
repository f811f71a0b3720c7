package io.holdfast.servers;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class LocalServersTest {

    @TempDir
    private Path temporary;

    private Path directory;
    private LocalServers servers;

    @BeforeEach
    void chooseDirectory() {
        directory = temporary.resolve("local");
        servers = LocalServers.in(directory);
    }

    @AfterEach
    void down() throws IOException {
        if (Files.exists(directory)) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        }
        servers.down();
    }

    @Test
    void up_calledTwice_returnsTheSameServers() {
        List<LocalServers.Member> first = servers.up(2);

        assertThat(first).hasSize(2).allMatch(LocalServers.Member::isUp);
        assertThat(LocalServers.in(directory).up(2)).isEqualTo(first);
        assertThat(servers.members()).isEqualTo(first);
    }

    @Test
    void up_afterAServerDied_restartsItOnItsPort() {
        List<LocalServers.Member> first = servers.up(2);
        ProcessHandle.of(first.get(0).pid()).orElseThrow().destroyForcibly();
        eventually(
                "it is down, and its port is free",
                () -> !servers.members().get(0).isUp()
                        && FreePorts.isFree(first.get(0).port()));

        List<LocalServers.Member> second = servers.up(2);

        assertThat(second.get(0).port()).isEqualTo(first.get(0).port());
        assertThat(second.get(0).pid()).isNotEqualTo(first.get(0).pid()).isPositive();
        assertThat(second.get(1)).isEqualTo(first.get(1));
    }

    @Test
    void up_differentCount_isRejectedWithTheRemedy() {
        servers.up(1);

        assertThatThrownBy(() -> servers.up(3))
                .hasMessage("1 local server is running; run `holdfast local down` before starting 3");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 10})
    void up_countOutOfRange_isRejected(int count) {
        assertThatThrownBy(() -> servers.up(count)).hasMessageContaining("count " + count);
    }

    @Test
    void down_serversAreUp_stopsAndForgetsThem() {
        LocalServers.Member member = servers.up(1).get(0);

        assertThat(servers.down()).isEqualTo(1);

        assertThat(servers.members()).isEmpty();
        eventually("the process has ended", () -> ProcessHandle.of(member.pid()).isEmpty());
        assertThat(servers.down()).isZero();
    }

    /** The directory contains the passwords. */
    @Test
    void members_directoryReadableByOthers_isRejected() throws IOException {
        servers.up(1);
        assertThat(Files.getPosixFilePermissions(directory)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));

        assertThatThrownBy(servers::members)
                .hasMessageContaining(directory.toString())
                .hasMessageContaining(LocalServers.VARIABLE);
    }

    /** The processes of a server that is down may have been replaced by any program, which reports any process id. */
    @Test
    void down_anotherProcessInThePidFile_isNotKilled() throws Exception {
        servers.up(1);
        Process innocent = new ProcessBuilder("sleep", "60").start();
        Path pidFile = directory.resolve("server-0/data/redis.pid");
        String own = Files.readString(pidFile);
        Files.writeString(pidFile, Long.toString(innocent.pid()));

        assertThat(servers.down()).isZero();

        assertThat(innocent.isAlive()).isTrue();
        innocent.destroyForcibly();
        ProcessHandle.of(Long.parseLong(own.strip())).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void up_allServersDownAndAPortTaken_takesOtherPorts() throws IOException {
        LocalServers.Member first = servers.up(1).get(0);

        try (ServerSocket other = replace(first)) {
            assertThat(servers.up(1).get(0).port()).isNotEqualTo(other.getLocalPort());
        }
    }

    @Test
    void up_portOfADeadServerTaken_failsAtOnceWithTheRemedy() throws IOException {
        LocalServers.Member first = servers.up(2).get(0);

        try (ServerSocket other = replace(first)) {
            assertThatThrownBy(() -> servers.up(2))
                    .hasMessage("another program uses port " + other.getLocalPort()
                            + " of a local server; run `holdfast local down`, then new servers get other ports");
        }
    }

    /** Kills the server, and listens on its port. */
    private static ServerSocket replace(LocalServers.Member member) {
        ProcessHandle.of(member.pid()).orElseThrow().destroyForcibly();
        ServerSocket[] other = new ServerSocket[1];
        eventually("its port is free", () -> {
            other[0] = FreePorts.listen(member.port());
            return true;
        });
        return other[0];
    }

    @Test
    void members_unreadableState_namesTheRemedy() throws IOException {
        servers.members();
        Files.writeString(directory.resolve("servers"), "nonsense");

        assertThatThrownBy(servers::members).hasMessageContaining("delete it");
        Files.delete(directory.resolve("servers"));
    }

    @Test
    void directory_environmentVariables_selectTheDirectory() {
        assertThat(LocalServers.directory(Map.of(LocalServers.VARIABLE, "/x/y")))
                .isEqualTo(Path.of("/x/y"));
        assertThat(LocalServers.directory(Map.of("XDG_RUNTIME_DIR", temporary.toString())))
                .isEqualTo(temporary.resolve("holdfast"));
        assertThat(LocalServers.directory(Map.of()).getFileName().toString()).startsWith("holdfast-");
    }
}
