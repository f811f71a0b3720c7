package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.LocalServers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast local} and {@code --local}, as a user meets them. */
class LocalTest {

    @TempDir
    private Path directory;

    private PackagedCommand command;

    @BeforeEach
    void useOwnServers() {
        command = new PackagedCommand(directory)
                .with(LocalServers.VARIABLE, directory.resolve("local").toString());
    }

    @AfterEach
    void end() {
        command.run("local", "down");
    }

    @Test
    void run_localForTheFirstTime_startsServersAndSaysSo() {
        PackagedCommand.Result first = command.run("run", "--local", "hello", "--", "echo", "mine");
        PackagedCommand.Result second = command.run("run", "--local", "hello", "--", "echo", "mine");

        assertThat(first.out()).isEqualTo("mine\n");
        assertThat(first.err()).contains("started 3 redis-servers", "holdfast local down");
        assertThat(second).isEqualTo(new PackagedCommand.Result(0, "mine\n", ""));
    }

    @Test
    void run_localTwiceAtOnce_contendOnTheSameServers() {
        command.run("local", "up");
        PackagedCommand.Result inner = command.run(
                "run",
                "--local",
                "job",
                "--",
                // As from another terminal: what runs inside of a run is known to.
                "env",
                "-u",
                "HOLDFAST_HELD",
                javaOf(),
                "-jar",
                System.getProperty("holdfast.jar", ""),
                "run",
                "--local",
                "job",
                "-n",
                "--",
                "true");

        assertThat(inner.code()).isEqualTo(75);
    }

    @Test
    void status_upAndDown_isShownAndTold() {
        assertThat(command.run("local", "status").code()).isEqualTo(69);
        assertThat(command.run("local", "up", "--count", "1").out()).contains("up, pid");
        assertThat(command.run("local", "status").code()).isZero();
        assertThat(command.run("local", "status", "--json").out())
                .matches("\\{\"node\":\"redis://127\\.0\\.0\\.1:\\d+\",\"up\":true,\"pid\":\\d+}\n");
        assertThat(command.run("local", "up").err()).contains("holdfast local down");
        assertThat(command.run("local", "down").out()).isEqualTo("Ended 1 local servers.\n");
        assertThat(command.run("local", "up", "--count", "1", "--json").out()).contains("\"up\":true");
        assertThat(command.run("local", "down", "--json").out()).isEqualTo("{\"ended\":1}\n");
        assertThat(command.run("local", "status").out()).contains("No local servers");
    }

    @Test
    void status_export_isALineThatMakesOtherProgramsUseTheServers() {
        command.run("local", "up", "--count", "1");
        String line = command.run("local", "status", "--export").out().strip();

        assertThat(line).matches("export HOLDFAST_NODES='redis://:\\w+@127.0.0.1:\\d+'");
        PackagedCommand exported = new PackagedCommand(directory)
                .with(NodesOptions.VARIABLE, line.substring(line.indexOf('\'') + 1, line.length() - 1));
        assertThat(exported.run("run", "x", "--", "true").code()).isZero();
    }

    private static String javaOf() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
