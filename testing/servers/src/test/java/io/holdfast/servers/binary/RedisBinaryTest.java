package io.holdfast.servers.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Tag("server")
@Isolated("a process that starts meanwhile would keep a new program open for writing")
final class RedisBinaryTest {

    @TempDir
    Path directory;

    @Test
    void find_variableNamesNoProgram_reportsIt() {
        Map<String, String> environment =
                Map.of(RedisBinary.VARIABLE, directory.resolve("none").toString());
        assertThatThrownBy(() -> RedisBinary.find(environment))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("none is not an executable file")
                .hasMessageContaining(RedisBinary.VARIABLE);
    }

    @Test
    void at_programIsNotRedis_reportsItsOutput() throws IOException {
        Path impostor = program("impostor", "echo nonsense 1.0");
        assertThatThrownBy(() -> RedisBinary.at(impostor)).hasMessageContaining("nonsense 1.0");
    }

    @Test
    void find_valkeyOnThePath_isFound() throws IOException {
        program("valkey-server", "echo 'Valkey server v=8.0.1 sha=0'");
        RedisBinary found = RedisBinary.find(Map.of("PATH", "/nowhere:" + directory));
        assertThat(found.version()).isEqualTo(new RedisVersion("Valkey", 8, 0, 1));
    }

    @Test
    void find_noneInstalled_unpacksIntoTheCache() {
        RedisBinary found = RedisBinary.find(Map.of("PATH", "", "XDG_CACHE_HOME", directory.toString()));
        assertThat(found.path()).startsWith(directory).isExecutable();
        assertThat(found.version().isAtLeast(6, 2)).isTrue();
        try (RedisServer server = RedisServer.start(RedisServerOptions.DEFAULT.withBinary(found))) {
            assertThat(server.exec("PING")).isEqualTo("PONG");
        }
    }

    /** Java would call the directory `?`, below the working directory. */
    @Test
    void find_noneInstalledAndUserUnknown_namesTheRemedy() {
        assertThatThrownBy(() -> PackedBinary.cacheDirectory(Map.of(), "?"))
                .hasMessageContaining("this user has no home directory; set HOME or XDG_CACHE_HOME");
        assertThat(PackedBinary.cacheDirectory(Map.of("HOME", "/x"), "?")).isEqualTo(Path.of("/x/.cache/holdfast"));
    }

    @Test
    void unpack_concurrently_leavesOneIntactFile() {
        PackedBinary packed = PackedBinary.ofThisMachine();
        Stream.of(1, 2)
                .map(i -> CompletableFuture.supplyAsync(() -> packed.unpackInto(directory)))
                .toList()
                .forEach(unpacked -> assertThat(unpacked.join()).isExecutable());
        assertThat(directory).isDirectoryContaining("glob:**" + packed.resource());
        assertThat(directory.toFile().list()).hasSize(1);
    }

    @Test
    void unpack_damagedFileInTheCache_replacesIt() throws IOException {
        PackedBinary packed = PackedBinary.ofThisMachine();
        Files.writeString(directory.resolve(packed.resource()), "damaged");
        assertThat(Files.size(packed.unpackInto(directory))).isGreaterThan(1_000_000);
    }

    @Test
    void of_unknownMachine_namesTheRemedy() {
        assertThatThrownBy(() -> PackedBinary.of("Plan 9", "mips")).hasMessageContaining(RedisBinary.VARIABLE);
    }

    @Test
    void isAtLeast_versions_areComparedNumerically() {
        RedisVersion version = RedisVersion.parse("Redis server v=7.10.3 sha=00000000:0 malloc=libc");
        assertThat(version.isAtLeast(7, 9)).isTrue();
        assertThat(version.isAtLeast(6, 20)).isTrue();
        assertThat(version.isAtLeast(8, 0)).isFalse();
    }

    private Path program(String name, String command) throws IOException {
        Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + command + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }
}
