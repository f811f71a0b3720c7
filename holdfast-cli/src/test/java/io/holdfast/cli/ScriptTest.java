package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.option.DetachedLeaseOptions;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code acquire}, {@code renew} and {@code release} as processes on real servers. */
@Tag("process")
class ScriptTest {

    private static RedisServers servers;

    @TempDir
    private Path directory;

    private final String name = "script-" + UUID.randomUUID();

    @BeforeAll
    static void startServers() {
        servers = RedisServers.start(3);
    }

    @AfterAll
    static void stopServers() {
        servers.close();
    }

    private PackagedCommand command() {
        return PackagedCommand.on(directory, servers);
    }

    private PackagedCommand with(String handle) {
        return command().with(DetachedLeaseOptions.VARIABLE, handle);
    }

    @Test
    void acquire_freeLock_holdsItUntilReleasedByHandle() {
        PackagedCommand.Result acquired = command().run("acquire", name, "--lease", "1m");
        String handle = acquired.out().strip();

        assertThat(acquired.code()).isZero();
        assertThat(acquired.err()).isEmpty();
        assertThat(handle).matches("hf1:[!-~]+");
        assertThat(holders()).isEqualTo(3);
        assertThat(command().run("acquire", name, "-n")).isEqualTo(new PackagedCommand.Result(75, "", ""));
        assertThat(with(handle).run("renew", "--lease", "1m")).isEqualTo(new PackagedCommand.Result(0, "", ""));
        assertThat(holders()).isEqualTo(3);
        assertThat(with(handle).run("release")).isEqualTo(new PackagedCommand.Result(0, "", ""));
        assertThat(holders()).isZero();
    }

    @Test
    void renew_longerLease_extendsTheTimeOnTheServers() {
        String handle = command().run("acquire", name, "--lease", "20s").out().strip();
        assertThat(millisLeft()).isBetween(1L, 20_000L);

        assertThat(with(handle).run("renew", "--lease", "50s").code()).isZero();

        assertThat(millisLeft()).isGreaterThan(20_000L);
    }

    @Test
    void acquire_json_printsOneObject() {
        PackagedCommand.Result acquired = command().run("acquire", name, "--json");

        assertThat(acquired.out())
                .matches("\\{\"resource\":\"" + name + "\",\"handle\":\"hf1:[!-~]+\",\"fence\":\\d+,"
                        + "\"leaseMillis\":30000,\"validMillis\":\\d+}\n");
        String handle = acquired.out().replaceAll("(?s).*\"handle\":\"([^\"]+)\".*", "$1");
        assertThat(with(handle).run("renew", "--json").out()).contains("\"validMillis\":", "\"" + name + "\"");
    }

    @Test
    void acquire_handleFile_isPrivateAndDeletedOnRelease() throws IOException {
        Path file = directory.resolve("job.lock");

        assertThat(command().run("acquire", name, "--handle-file", "job.lock").out())
                .isEmpty();

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(command().run("renew", "--handle-file", "job.lock").code()).isZero();
        assertThat(command().run("release", "--handle-file", "job.lock").code()).isZero();
        assertThat(file).doesNotExist();
        assertThat(holders()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"renew", "release"})
    void handle_lostLock_exits76AndAcquiresNothing(String command) {
        String handle = command().run("acquire", name).out().strip();
        servers.forEach(server -> server.exec("DEL", name));

        PackagedCommand.Result result = with(handle).run(command);

        assertThat(result.code()).isEqualTo(76);
        assertThat(result.err()).contains("The lease on '" + name + "' has ended");
        assertThat(holders()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"renew", "release"})
    void handle_missingOrInvalid_exits64WithTheRemedy(String command) {
        PackagedCommand.Result missing = command().run(command);
        assertThat(missing.code()).isEqualTo(64);
        assertThat(missing.err()).contains("HOLDFAST_HANDLE=\"$(holdfast acquire NAME)\"");

        PackagedCommand.Result invalid = with("my secret").run(command);
        assertThat(invalid.code()).isEqualTo(64);
        assertThat(invalid.err())
                .contains("The handle of a lease looks like hf1:")
                .doesNotContain("my secret");
    }

    private long holders() {
        return IntStream.range(0, servers.count())
                .filter(i -> servers.get(i).exec("GET", name) != null)
                .count();
    }

    private long millisLeft() {
        return Long.parseLong(String.valueOf(servers.get(0).exec("PTTL", name)));
    }
}
