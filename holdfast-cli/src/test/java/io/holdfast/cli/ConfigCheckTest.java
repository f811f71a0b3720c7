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

/** Runs {@code config check} with settings from several places. */
@Tag("process")
class ConfigCheckTest {

    @TempDir
    private Path directory;

    private Path file;
    private PackagedCommand command;

    @BeforeEach
    void write() throws IOException {
        file = Files.writeString(
                directory.resolve("config"),
                "nodes=redis://:geheim@a:1,redis://me:geh@eim@b:2\nmax-lease=2m\nuser=cron\n");
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
                        "ca not set (default)",
                        "max-lease 3m (--max-lease)",
                        "restarts quarantine from three servers on (default)",
                        "password not set (default)");
    }

    @Test
    void configCheck_variables_precedeTheFile() {
        PackagedCommand.Result result = command.with(NodesOptions.VARIABLE, "redis://c:3")
                .with("HOLDFAST_PASSWORD", "geheim")
                .run("config", "check", "--json");

        assertThat(result.out())
                .contains("{\"name\":\"nodes\",\"value\":\"redis://c:3\",\"source\":\"HOLDFAST_NODES\"}")
                .contains("{\"name\":\"password\",\"value\":\"set\",\"source\":\"HOLDFAST_PASSWORD\"}")
                .doesNotContain("geheim");
    }

    @Test
    void configCheck_wrongSetting_exits64() {
        PackagedCommand.Result result = command.run("config", "check", "--max-lease", "2d");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).isEqualTo("holdfast: --max-lease must be between 500ms and 24h\n");
    }
}
