package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.option.ConfigFile;
import io.holdfast.cli.option.NodesOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs {@code config check} with settings from several places. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class ConfigCheckTest {

    @TempDir
    private Path directory;

    private Path file;
    private PackagedCommand command;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(
                directory.resolve("config"),
                "nodes=redis://:geheim@a:1,redis://me:geh%40eim@b:2\nmax-lease=2m\nuser=cron\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        command = new PackagedCommand(directory).with(ConfigFile.VARIABLE, file.toString());
    }

    @Test
    void configCheck_fileAndOption_printsEachSourceAndNoPassword() {
        PackagedCommand.Result result = command.run("config", "check", "--max-lease", "3m");

        assertThat(result.code()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines().map(line -> line.replaceAll(" +", " ")))
                .containsExactly(
                        "configuration file " + file,
                        "nodes redis://...@a:1,redis://...@b:2 (" + file + ")",
                        "user cron (" + file + ")",
                        "password-file not set (default)",
                        "sentinel-user not set (default)",
                        "sentinel-password-file not set (default)",
                        "address-map not set (default)",
                        "ca not set (default)",
                        "cert not set (default)",
                        "key not set (default)",
                        "max-lease 3m (--max-lease)",
                        "restarts quarantine from three servers on (default)",
                        "previous-nodes not set (default)",
                        "previous-max-lease not set (default)",
                        "password not set (default)",
                        "sentinel-password not set (default)");
    }

    @Test
    void configCheck_variables_precedeTheFile() {
        PackagedCommand.Result result = command.with(NodesOptions.VARIABLE, "redis://c:3?locks=timestamps-in-seconds")
                .with("HOLDFAST_PASSWORD", "geheim")
                .run("config", "check", "--json");

        assertThat(result.out())
                .contains("{\"name\":\"nodes\",\"value\":\"redis://c:3?locks=timestamps-in-seconds\","
                        + "\"source\":\"HOLDFAST_NODES\"}")
                .contains("{\"name\":\"password\",\"value\":\"set\",\"source\":\"HOLDFAST_PASSWORD\"}")
                .doesNotContain("geheim");
    }

    /** Otherwise a client with one set looks as if it had both. */
    @Test
    void configCheck_previousNodesBesideNoNodes_haveNoEffect() throws IOException {
        Files.writeString(file, "nodes=redis://b:2\nprevious-nodes=redis://a:1\n");

        String both = command.run("config", "check").out();
        PackagedCommand.Result other =
                command.with(NodesOptions.VARIABLE, "redis://c:3").run("config", "check");
        PackagedCommand.Result alone = new PackagedCommand(directory)
                .with(NodesOptions.PREVIOUS_VARIABLE, "redis://a:1")
                .run("config", "check");

        assertThat(both).contains("redis://a:1");
        assertThat(other.code()).isZero();
        assertThat(other.out()).contains("not set  (" + file + " has no effect: it is not beside the nodes)");
        assertThat(alone.code()).isEqualTo(64);
        assertThat(alone.err())
                .isEqualTo("holdfast: HOLDFAST_PREVIOUS_NODES is set, and HOLDFAST_NODES is not; set both, or use"
                        + " --previous-nodes\n");
    }

    @Test
    void configCheck_wrongSetting_exits64() {
        PackagedCommand.Result result = command.run("config", "check", "--max-lease", "2d");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).isEqualTo("holdfast: --max-lease must be between 500ms and 24h\n");
    }

    @ParameterizedTest
    @CsvSource({
        "http://:geheim@a, unknown scheme",
        "redis://:geheim@a redis://:geheim@b:x, The 2nd address is not valid",
        "redis://:geheim@a redis://:geheim@a:6379, is given twice",
        "redis-cluster://:geheim@a?locks=timestamps, supports only scripts",
        "redis://a, the user 'cron' has no password; set HOLDFAST_PASSWORD or give --password-file"
    })
    void configCheck_wrongAddresses_exits64(String nodes, String message) {
        PackagedCommand.Result result =
                command.with(NodesOptions.VARIABLE, nodes.replace(' ', ',')).run("config", "check");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).contains(message).hasLineCount(1);
        assertThat(result.out() + result.err()).doesNotContain("geheim");
    }

    /** Every other command rejects the settings that this one rejects. */
    @Test
    void configCheck_wrongAddress_isRefusedAsByOtherCommands() {
        PackagedCommand wrong = command.with(NodesOptions.VARIABLE, "redis://:geheim@a?ssl=true");

        PackagedCommand.Result result = wrong.run("config", "check");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).contains("unknown parameter 'ssl'").hasLineCount(1);
        assertThat(wrong.run("status", "x")).isEqualTo(new PackagedCommand.Result(64, "", result.err()));
    }

    @Test
    void configCheck_missingPasswordFile_exits64() {
        PackagedCommand.Result result = command.run("config", "check", "--password-file", "nowhere");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).contains("the password file nowhere cannot be read: it does not exist");
    }

    @Test
    void configCheck_noServers_printsThatTheyAreNotSet() throws IOException {
        Files.writeString(file, "max-lease=2m\n");

        assertThat(command.run("config", "check").code()).isZero();
    }
}
