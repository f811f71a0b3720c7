package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests {@code holdfast run} with a signal that was ignored at the start, as by {@code nohup} or a script's {@code &}.
 */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class IgnoredSignalsTest extends CommandOnServers {

    /** Sends the signal several times: a handled INT would have become a KILL by then. */
    @ParameterizedTest
    @ValueSource(strings = {"HUP", "INT", "QUIT", "USR1"})
    void signal_ignoredAtStart_endsNeitherTheCommandNorHoldfast(String signal) throws IOException {
        PackagedCommand.Running holder = command()
                .ignoring(signal)
                .start(
                        "run",
                        name,
                        "--",
                        "sh",
                        "-c",
                        "trap 'echo caught >>log' USR2; kill -s " + signal + " $$; echo in >>log; "
                                + "until [ -e go ]; do sleep 0.02; done; exit 4");
        awaitLine("in");

        for (int i = 0; i < 3; i++) {
            holder.send(signal);
        }
        holder.send("USR2");
        awaitLine("caught");
        Files.createFile(directory.resolve("go"));

        assertThat(holder.end().code()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HUP", "INT"})
    void signal_ignoredAtStart_doesNotEndTheWait(String signal) throws IOException {
        PackagedCommand.Running holder =
                command().start("run", name, "--", "sh", "-c", "echo in >>log; until [ -e go ]; do sleep 0.02; done");
        awaitLine("in");
        PackagedCommand.Running waiter = command().ignoring(signal).start("run", name, "-v", "--", "echo", "mine");
        eventually("the waiter is queued", new LockKeys(servers, name)::hasOneWaiter);

        waiter.send(signal);
        Files.createFile(directory.resolve("go"));

        assertThat(waiter.end().out()).isEqualTo("mine\n");
        assertThat(holder.end().code()).isZero();
    }

    private void awaitLine(String line) {
        Path log = directory.resolve("log");
        eventually(
                line + " in " + log,
                () -> Files.exists(log) && Files.readString(log).contains(line));
    }
}
