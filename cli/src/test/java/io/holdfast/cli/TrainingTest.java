package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.binary.RedisBinary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the training that creates the class archive, with a program in place of Java that is as slow as a test wants.
 */
@Tag("process")
@Tag("evidence")
@Execution(ExecutionMode.CONCURRENT)
class TrainingTest {

    private static final String JAVA = """
            #!/bin/sh
            for word do
              case "$word" in
              -XX:AOTCacheOutput=*) exit 1 ;;
              -XX:ArchiveClassesAtExit=*) echo part >"${word#*=}" && touch "${word#*=}.config" && eval "$TRAINING" ;;
              esac
            done
            echo ran
            """;

    private static final String UNTIL_INTERRUPTED = "touch started && exec sleep 1000";
    private static final String UNTIL_THE_FILE = "touch started; until [ -e end ]; do sleep 0.02; done; exit 0";
    private static final PackagedCommand.Result RAN = new PackagedCommand.Result(0, "ran\n", "");

    @TempDir
    private Path directory;

    private Path home;

    @BeforeEach
    void install() throws IOException {
        home = directory.resolve("home");
        String copy = "lib=${1%/bin/*}/lib; mkdir -p java/bin home/bin home/lib && cp -p \"$1\" home/bin"
                + " && cp -p \"$lib/holdfast.jar\" home/lib";
        assertThat(new PackagedCommand(directory)
                        .exec("sh", "-c", copy, "sh", PackagedCommand.LAUNCHER)
                        .code())
                .isZero();
        PackagedCommand.program(directory.resolve("java/bin/java"), JAVA);
    }

    private PackagedCommand.Running start(String training, String... prefix) {
        List<String> words = new ArrayList<>(DefaultSignals.prefix());
        words.add("setsid");
        words.addAll(List.of(prefix));
        words.addAll(List.of(home + "/bin/holdfast", "version"));
        return new PackagedCommand(directory)
                .with("JAVA_HOME", directory + "/java")
                .with("TRAINING", training)
                .start(words);
    }

    private void awaitTraining() {
        eventually("the training has begun", () -> Files.exists(directory.resolve("started")));
    }

    /** Returns the names of all files of archives, also of unfinished ones. */
    private List<String> archives() throws IOException {
        try (Stream<Path> files = Files.list(home.resolve("lib"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.contains(".aot") || name.contains(".jsa"))
                    .toList();
        }
    }

    /** Returns shells with a signal, the exit code that it causes, and the sign of a process group. */
    static Stream<Arguments> interruptions() {
        return Shells.tried().stream()
                .flatMap(shell -> Stream.of("", "-")
                        .flatMap(group -> Stream.of(
                                Arguments.of(shell, "HUP", 129, group),
                                Arguments.of(shell, "INT", 130, group),
                                Arguments.of(shell, "TERM", 143, group))));
    }

    @ParameterizedTest
    @MethodSource("interruptions")
    void training_interrupted_endsByTheSignalAndLeavesNoFile(String shell, String signal, int code, String group)
            throws IOException {
        PackagedCommand.Running running = start(UNTIL_INTERRUPTED, shell.split(" "));
        awaitTraining();

        signal(running, signal, group);

        assertThat(running.end()).isEqualTo(new PackagedCommand.Result(code, "", ""));
        assertThat(archives()).isEmpty();
    }

    private static void signal(PackagedCommand.Running running, String signal, String group) {
        assertThat(PackagedCommand.shell(
                        "kill -s " + signal + " -- " + group + running.process().pid()))
                .isTrue();
    }

    @Test
    void training_signalThatWasIgnoredAtTheStart_goesOn() throws IOException {
        PackagedCommand.Running running = start(UNTIL_THE_FILE, "sh", "-c", "trap '' INT; exec \"$@\"", "sh");
        awaitTraining();

        signal(running, "INT", "-");
        Files.createFile(directory.resolve("end"));

        assertThat(running.end()).isEqualTo(RAN);
        assertThat(archives()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"kill -KILL $$", "kill -SEGV $$", "exit 130", "exit 1"})
    void training_fails_isSilentAndLeavesNoFile(String training) throws IOException {
        assertThat(start(training).end()).isEqualTo(RAN);

        assertThat(archives()).isEmpty();
    }

    /** Otherwise the first start by root decides whether the others are slow. */
    @Test
    void training_restrictiveUmask_createsAnArchiveAsReadableAsTheJar() throws IOException {
        Path jar = home.resolve("lib/holdfast.jar");
        Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(start("exit 0", "sh", "-c", "umask 077; exec \"$@\"", "sh").end())
                .isEqualTo(RAN);

        assertThat(archives()).singleElement().satisfies(archive -> {
            Path file = home.resolve("lib").resolve(archive);
            assertThat(Files.getPosixFilePermissions(file)).isEqualTo(Files.getPosixFilePermissions(jar));
            assertThat(Files.getLastModifiedTime(file)).isEqualTo(Files.getLastModifiedTime(jar));
        });
    }

    /** The program is the one that the launcher starts; its run without a server fails, and its archive is complete. */
    @Test
    void training_withoutARedisServer_exitsZero() {
        PackagedCommand.Result training = new PackagedCommand(directory)
                .with(RedisBinary.VARIABLE, "/nowhere/redis-server")
                .exec(
                        System.getProperty("java.home") + "/bin/java",
                        "-cp",
                        home + "/lib/holdfast.jar",
                        "io.holdfast.cli.CdsTraining");

        assertThat(training.code()).as("%s", training).isZero();
    }
}
