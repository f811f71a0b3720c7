package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.LocalServers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests {@code holdfast local} and {@code --local} as processes. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
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
    void stopServers() {
        command.run("local", "down");
    }

    @Test
    void run_localForTheFirstTime_startsServersAndReportsIt() {
        PackagedCommand.Result first = command.run("run", "--local", "hello", "--", "echo", "mine");
        PackagedCommand.Result second = command.run("run", "--local", "hello", "--", "echo", "mine");

        assertThat(first.out()).isEqualTo("mine\n");
        assertThat(first.err()).contains("started 3 redis-servers", "holdfast local down");
        assertThat(second).isEqualTo(new PackagedCommand.Result(0, "mine\n", ""));
    }

    @Test
    void run_localInTwoTerminals_contendsOnTheSameServers() {
        command.run("local", "up");
        PackagedCommand.Result inner = command.run(
                "run",
                "--local",
                "job",
                "--",
                // Simulates another terminal: an enclosing run sets this variable.
                "env",
                "-u",
                "HOLDFAST_HELD",
                PackagedCommand.LAUNCHER,
                "run",
                "--local",
                "job",
                "-n",
                "--",
                "true");

        assertThat(inner.code()).isEqualTo(75);
    }

    @Test
    void local_upAndDown_printsTheState() {
        assertThat(command.run("local", "status").code()).isEqualTo(69);
        assertThat(command.run("local", "up", "--count", "1").out()).contains("up, pid");
        assertThat(command.run("local", "status").code()).isZero();
        assertThat(command.run("local", "status", "--json").out())
                .matches("\\{\"node\":\"redis://127\\.0\\.0\\.1:\\d+\",\"up\":true,\"pid\":\\d+}\n");
        assertThat(command.run("local", "up").err()).contains("holdfast local down");
        assertThat(command.run("local", "down").out()).isEqualTo("Stopped 1 local servers.\n");
        assertThat(command.run("local", "up", "--count", "1", "--json").out()).contains("\"up\":true");
        assertThat(command.run("local", "down", "--json").out()).isEqualTo("{\"stopped\":1}\n");
        assertThat(command.run("local", "status").out()).contains("No local servers");
    }

    @Test
    void status_export_printsACommandThatSetsTheNodes() {
        command.run("local", "up", "--count", "1");
        String line = command.run("local", "status", "--export").out().strip();

        assertThat(line).matches("export HOLDFAST_NODES='redis://:\\w+@127.0.0.1:\\d+'");
        PackagedCommand exported = new PackagedCommand(directory)
                .with(NodesOptions.VARIABLE, line.substring(line.indexOf('\'') + 1, line.length() - 1));
        assertThat(exported.run("run", "x", "--", "true").code()).isZero();
    }
}
