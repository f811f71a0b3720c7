package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.option.ConfigFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the command with files whose passwords other users can read or change. No server is needed to refuse them. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class SecretFileTest {

    private static final String NOWHERE = "redis://127.0.0.1:1";

    @TempDir
    private Path directory;

    private Path file(String content, String permissions) throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    private PackagedCommand.Result withPasswordFile(Path file) {
        return new PackagedCommand(directory)
                .run("status", "x", "--nodes", NOWHERE, "--password-file", file.toString());
    }

    private PackagedCommand.Result withConfig(Path file) {
        return new PackagedCommand(directory)
                .with(ConfigFile.VARIABLE, file.toString())
                .run("status", "x");
    }

    @Test
    void passwordFile_ownersOnly_isAccepted() throws IOException {
        assertThat(withPasswordFile(file("pw", "rw-------")))
                .satisfies(result -> assertThat(result.err()).isEmpty())
                .extracting(PackagedCommand.Result::code)
                .isEqualTo(69);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r--r--", "rw-rw----"})
    void passwordFile_readableByOthers_warnsWithTheRemedy(String permissions) throws IOException {
        Path file = file("pw", permissions);

        assertThat(withPasswordFile(file).err()).isEqualTo(warning(file, permissions));
    }

    private static String warning(Path file, String permissions) throws IOException {
        return "holdfast: warning: other users may read the password in " + file + " (mode " + permissions + "): chmod "
                + (isOfRoot(file) ? "640 " : "600 ") + file + "\n";
    }

    private static boolean isOfRoot(Path file) throws IOException {
        return Files.getOwner(file).getName().equals("root");
    }

    /** Jobs of several users share a file of root by its group. */
    @Test
    void passwordFile_readableByItsGroup_isAcceptedFromRoot() throws IOException {
        Path file = file("pw", "rw-r-----");

        assertThat(withPasswordFile(file).err()).isEqualTo(isOfRoot(file) ? "" : warning(file, "rw-r-----"));
    }

    @Test
    void passwordFile_writableByAll_isRefused() throws IOException {
        Path file = file("pw", "rw-rw-rw-");

        PackagedCommand.Result result = withPasswordFile(file);

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err())
                .isEqualTo("holdfast: the password file " + file
                        + " can be changed by all users (mode rw-rw-rw-): chmod " + (isOfRoot(file) ? "640 " : "600 ")
                        + file + "\n");
    }

    @Test
    void configurationFile_withPassword_isCheckedAlike() throws IOException {
        String secret = "nodes=redis://:geheim@127.0.0.1:1\n";

        assertThat(withConfig(file(secret, "rw-r--r--")).err())
                .contains("warning: other users may read the password in")
                .doesNotContain("geheim");
        assertThat(withConfig(file(secret, "rw-rw-rw-")).code()).isEqualTo(64);
        assertThat(withConfig(file(secret, "rw-------")).err()).isEmpty();
        assertThat(withConfig(file(secret.replace("geheim", "ge,heim"), "rw-rw-rw-"))
                        .code())
                .isEqualTo(64);
        assertThat(withConfig(file("nodes=" + NOWHERE, "rw-r--r--")).err()).isEmpty();
    }
}
