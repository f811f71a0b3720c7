package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Starts of commands other than {@code run} in which Holdfast itself fails. The exit code 1 would be an answer. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class StartTest {

    @TempDir
    private Path directory;

    private PackagedCommand.Result sh(String script) {
        return new PackagedCommand(directory).exec("sh", "-c", script);
    }

    @ParameterizedTest
    @CsvSource({"-v 300000, list", "-v 300000, run x -- true", "-d 100000, list", "-d 50000, run x -- true"})
    void command_javaDoesNotStart_exits125WithTheRemedy(String limit, String words) {
        PackagedCommand.Result result = sh("ulimit " + limit + "; exec '" + PackagedCommand.LAUNCHER + "' " + words);

        assertThat(result)
                .isEqualTo(new PackagedCommand.Result(
                        125,
                        "",
                        "holdfast: Java does not start within the limits of this process; raise them, first"
                                + " `ulimit -v` and `ulimit -d`\n"));
        assertThat(directory.toFile().list((parent, file) -> file.startsWith("hs_err")))
                .as("reports of a crash of Java")
                .isEmpty();
    }

    /** A script must not take an incomplete result for a complete one. */
    @ParameterizedTest
    @ValueSource(strings = {"version", "run --help", "man", "config check --nodes redis://localhost"})
    void command_fullStandardOutput_exits125(String words) {
        assertThat(sh("exec '" + PackagedCommand.LAUNCHER + "' " + words + " >/dev/full"))
                .isEqualTo(new PackagedCommand.Result(
                        125, "", "holdfast: cannot write to standard output: No space left on device\n"));
    }

    /** The pipe has no reader, as after the end of {@code head}. */
    @Test
    void command_readerOfStandardOutputHasEnded_isSilent() {
        PackagedCommand.Result result = sh("mkfifo pipe; sh -c ': <pipe' & exec 3>pipe; wait; trap '' PIPE; exec '"
                + PackagedCommand.LAUNCHER + "' version >&3");

        assertThat(result).isEqualTo(new PackagedCommand.Result(0, "", ""));
    }

    @Test
    void command_limitThatSuffices_runs() {
        assertThat(sh("ulimit -v 8000000; exec '" + PackagedCommand.LAUNCHER + "' version")
                        .code())
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.8.0_292-b10", "9+181", "11.0.2+9", "16.0.1+9-24", "16+36"})
    void command_oldJava_exits125WithTheRemedy(String version) throws IOException {
        Path java = directory.resolve("java");
        Files.createDirectories(java.resolve("bin"));
        Files.createSymbolicLink(java.resolve("bin/java"), Path.of(System.getProperty("java.home"), "bin", "java"));
        Files.writeString(java.resolve("release"), "JAVA_RUNTIME_VERSION=\"" + version + "\"\n");

        PackagedCommand.Result result = new PackagedCommand(directory)
                .with("JAVA_HOME", java.toString())
                .run("list");

        assertThat(result.code()).isEqualTo(125);
        assertThat(result.err())
                .isEqualTo("holdfast: the Java in " + java + " has the version " + version
                        + "; install Java 17 or later, or set JAVA_HOME\n");
    }

    @Test
    void command_anyDirectoryAndPathOfDirectories_runs() {
        PackagedCommand.Result result = sh("export CDPATH=.:/tmp; cd \"$(dirname '" + PackagedCommand.LAUNCHER
                + "')/..\" && bin/holdfast version && bin/../bin/holdfast version");

        assertThat(result.code()).as("%s", result).isZero();
        assertThat(result.out().lines()).hasSize(2).allMatch(line -> line.startsWith("holdfast "));
    }

    /** For these commands, 1 is an answer, such as that the lock is free. */
    @ParameterizedTest
    @CsvSource({"status x, 1", "log x, 1", "status x, 6", "doctor, 1", "jobs, 2"})
    void command_javaFails_exits125(String words, int codeOfJava) throws IOException {
        PackagedCommand.Result result = new PackagedCommand(directory)
                .byJava("exit " + codeOfJava + "\n")
                .run(words.split(" "));

        assertThat(result)
                .isEqualTo(new PackagedCommand.Result(
                        125,
                        "",
                        "holdfast: Java did not start; check that `java -version` works here, and raise"
                                + " `ulimit -u` if this user may start too few processes\n"));
    }

    /** A signal ends the process that should become the command, and so read the owner of the lock. */
    @Test
    void run_processEndsBeforeItReadsTheOwner_printsNothing() throws IOException {
        PackagedCommand command = new PackagedCommand(directory).byJava("""
                echo settings normal 76 0 whole
                echo granted 2
                read -r _ pid _
                kill -KILL "$pid"
                read -r _
                echo go 1 secret 30000 2 -
                echo exit 129
                """);

        assertThat(command.run("run", "x", "--", "true")).isEqualTo(new PackagedCommand.Result(129, "", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"help help", "help version", "version --help"})
    void help_ofHelpOrVersion_printsTheGeneralHelp(String words) {
        PackagedCommand.Result result = new PackagedCommand(directory).run(words.split(" "));

        assertThat(result).isEqualTo(new PackagedCommand(directory).run("--help"));
        assertThat(result.code()).isZero();
    }

    @Test
    void version_furtherWord_exits64() {
        PackagedCommand.Result result = new PackagedCommand(directory).run("version", "x");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).contains("'x' is one word too many; write holdfast version");
    }
}
