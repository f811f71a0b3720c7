package io.holdfast.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.exit.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("process")
class ConfigFileTest {

    @TempDir
    private Path directory;

    private static ConfigFile find(String variable, Path file) {
        return ConfigFile.find(Map.of(variable, file.toString()), NodesOptions.FILE_OPTIONS);
    }

    /** Another file could name other servers, on which the lock would exclude no client. */
    @Test
    void find_fileThatCannotBeExamined_isNotPassedOver() throws IOException {
        Path loop = directory.resolve("holdfast");
        Files.createSymbolicLink(loop, loop);

        assertThatThrownBy(() -> find("XDG_CONFIG_HOME", directory))
                .isInstanceOf(Failure.class)
                .hasMessageContaining(loop + "/config cannot be read: ")
                .hasMessageEndingWith("name another file by HOLDFAST_CONFIG");
    }

    @Test
    void find_fileThatDoesNotExist_looksFurther() throws IOException {
        Files.createFile(directory.resolve("holdfast"));

        assertThat(find("XDG_CONFIG_HOME", directory).path())
                .isNotEqualTo(Optional.of(directory.resolve("holdfast/config")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nodes=redis://a\nnodes=redis://b", "nodes redis://a\nnodes: redis://b"})
    void find_nameTwice_isRefused(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("config"), text);

        assertThatThrownBy(() -> find(ConfigFile.VARIABLE, file))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("it contains 'nodes' twice");
    }

    @Test
    void find_markBeforeTheText_isIgnored() throws IOException {
        Path file = Files.writeString(directory.resolve("config"), "\uFEFFnodes=redis://a\n");

        assertThat(find(ConfigFile.VARIABLE, file).get("nodes")).contains("redis://a");
    }

    @Test
    void find_linkWithoutATarget_isNotPassedOver() throws IOException {
        Path config = Files.createDirectory(directory.resolve("holdfast")).resolve("config");
        Files.createSymbolicLink(config, directory.resolve("gone"));

        assertThatThrownBy(() -> find("XDG_CONFIG_HOME", directory))
                .isInstanceOf(Failure.class)
                .hasMessageContaining(config + " cannot be read: it does not exist");
    }
}
