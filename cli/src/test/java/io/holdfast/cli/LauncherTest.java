package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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

/** Tests the script that runs the command with a shell that answers as Java does, at moments that Java rarely has. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class LauncherTest {

    private static final int SIGNALS = 20;

    @TempDir
    private Path directory;

    /** Answers by these lines of shell. What the script starts has the path of this Java in its environment. */
    private PackagedCommand answeredBy(String shell, String lines) throws IOException {
        assumeTrue(PackagedCommand.shell(shell + " -c :"), shell + " is not installed");
        return new PackagedCommand(directory).byJava(lines).by(shell);
    }

    /** Bash uses the variable, which profiles of many systems export, for each {@code read} from a pipe. */
    @Test
    void run_callerLimitsHowLongAShellReads_waitsForJavaAndForTheCommand() throws IOException {
        PackagedCommand command = answeredBy("bash", """
                        sleep 1.5
                        echo settings normal 76 0 whole
                        echo granted 2
                        read -r _
                        sleep 1.5
                        echo go 1 secret 30000 2 -
                        read -r _ code
                        echo exit "$code"
                        """).with("TMOUT", "1");

        assertThat(command.run("run", "x", "--", "sh", "-c", "echo $TMOUT; sleep 1.5; exit 3"))
                .isEqualTo(new PackagedCommand.Result(3, "1\n", ""));
    }

    /** A process that waits for a Java that was stopped must end with one that answers. */
    @ParameterizedTest
    @ValueSource(strings = {"dash", "bash"})
    void signal_javaAnswersAtOnce_leavesNoProcess(String shell) throws IOException {
        PackagedCommand command =
                answeredBy(shell, """
                        : >begun
                        read -r _
                        echo exit 143
                        """).with("PATH", directory.resolve("slow") + ":" + System.getenv("PATH"));
        Path sleep = Files.createDirectories(directory.resolve("slow")).resolve("sleep");
        Files.writeString(sleep, "#!/bin/sh\nexec /bin/sleep 1000\n");
        assertThat(PackagedCommand.shell("chmod +x '" + sleep + "'")).isTrue();
        for (int i = 0; i < SIGNALS; i++) {
            PackagedCommand.Running running = command.start("run", "x", "--", "true");
            eventually("Java waits", () -> Files.exists(directory.resolve("begun")));

            running.signal("TERM");

            assertThat(running.end()).isEqualTo(new PackagedCommand.Result(143, "", ""));
            Files.delete(directory.resolve("begun"));
        }
        eventually(
                "no process is left",
                () -> !PackagedCommand.shell("grep -lqsF '" + directory + "/java' /proc/[0-9]*/environ"));
    }

    /** A Java that was stopped answers no signal. */
    @ParameterizedTest
    @ValueSource(strings = {"dash", "bash"})
    @Tag("evidence")
    void signal_javaIsStoppedAfterTheCommand_exitsWithItsCode(String shell) throws IOException {
        PackagedCommand command = answeredBy(shell, """
                echo settings normal 76 0 whole
                echo granted 2
                read -r _
                echo go 1 secret 30000 2 -
                read -r _ code
                echo result "$code"
                : >begun
                kill -STOP $$
                """);
        PackagedCommand.Running running = command.start("run", "x", "--", "sh", "-c", "exit 5");
        eventually("Java waits", () -> Files.exists(directory.resolve("begun")));

        eventually("the time of Java is limited", () -> {
            running.signal("TERM");
            return running.process()
                    .descendants()
                    .anyMatch(process -> PackagedCommand.shell("grep -q sleep /proc/" + process.pid() + "/cmdline"));
        });

        assertThat(running.end())
                .isEqualTo(new PackagedCommand.Result(
                        5, "", "holdfast: Java did not react to the signal within 10 s, so it was killed\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "dash, -, 5, ran to its end without it",
        "bash, -, 5, ran to its end without it",
        "dash, 76, 76, was ended"
    })
    void run_javaIsKilled_exitsWithTheCodeOfWhatItDidToTheCommand(String shell, String lostCode, int code, String fate)
            throws IOException {
        PackagedCommand command = answeredBy(shell, """
                echo settings normal %s 0 whole
                echo granted 2
                read -r _
                echo go 1 secret 30000 2 -
                """.formatted(lostCode));

        assertThat(command.run("run", "x", "--", "sh", "-c", "exit 5"))
                .isEqualTo(new PackagedCommand.Result(
                        code,
                        "",
                        "holdfast: lost the lock 'x': the process that renews it was killed or stopped; the command "
                                + fate + "\n"));
    }
}
