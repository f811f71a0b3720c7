package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests what happens to a lock that {@code holdfast run} holds after its command has ended. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class HoldAtLeastTest extends CommandOnServers {

    private static final PackagedCommand.Result SILENT = new PackagedCommand.Result(0, "", "");

    /** A machine that needs longer to start a command reports that it has run for too long. */
    @Test
    @Tag("evidence")
    void timeout_reachedAfterTheCommand_isNotReported() {
        PackagedCommand.Result result = command()
                .run(
                        "run",
                        name,
                        "--timeout",
                        "4s",
                        "--hold-at-least",
                        "6s",
                        "--on-success",
                        "echo $HOLDFAST_RESULT >hook",
                        "--",
                        "true");

        assertThat(result).isEqualTo(SILENT);
        assertThat(directory.resolve("hook")).hasContent("success");
    }

    /** A record of a lost lock would let the next machine run the command again. */
    @Test
    void break_afterTheCommand_isNoLossOfTheCommand() {
        PackagedCommand.Running holder = command()
                .start(
                        "run",
                        name,
                        "-v",
                        "--once-per",
                        "1h",
                        "--hold-at-least",
                        "1h",
                        "--on-success",
                        "echo $HOLDFAST_RESULT >hook",
                        "--",
                        "touch",
                        "in");
        eventually("the command has ended", () -> holder.errors().contains("the lock is held for another"));

        assertThat(command().run("break", name, "--force").code()).isZero();

        PackagedCommand.Result result = holder.end();
        assertThat(result.code()).isZero();
        assertThat(result.err()).contains("the lock was lost after the command had ended");
        assertThat(directory.resolve("hook")).hasContent("success");
        assertThat(command().run("run", name, "--once-per", "1h", "--", "touch", "again"))
                .isEqualTo(SILENT);
        assertThat(directory.resolve("again")).doesNotExist();
    }

    @Test
    void kill_javaAfterTheCommand_exitsWithItsCode() {
        PackagedCommand.Running holder =
                command().start("run", name, "-v", "--hold-at-least", "1h", "--", "sh", "-c", "exit 5");
        eventually("the command has ended", () -> holder.errors().contains("the lock is held for another"));

        holder.killJava();

        PackagedCommand.Result result = holder.end();
        assertThat(result.code()).isEqualTo(5);
        assertThat(result.err())
                .contains("Java was killed after the command had ended")
                .doesNotContain("lost");
    }

    /**
     * A service of systemd ignores SIGPIPE. The watchdog ends before the lock is released, and `cat` after all writers.
     */
    @Test
    void end_callerIgnoresSigpipe_printsNothing() {
        PackagedCommand.Result result = command()
                .start(List.of(
                        "sh",
                        "-c",
                        "trap '' PIPE; \"$0\" run " + name + " --on-lost warn -- true 2>&1 | cat",
                        PackagedCommand.LAUNCHER))
                .end();

        assertThat(result).isEqualTo(SILENT);
    }

    /** The watchdog ends this process some seconds after a loss, unless it learns that the command has ended. */
    @Test
    @Tag("evidence")
    void loss_slowHook_runsToItsEnd() throws Exception {
        PackagedCommand.Running holder = command()
                .start(
                        "run",
                        name,
                        "--lease",
                        "1s",
                        "--on-failure",
                        "sleep 9; echo $HOLDFAST_RESULT >hook",
                        "--",
                        "sh",
                        "-c",
                        "touch in; exec sleep 60");
        eventually("the command runs", () -> Files.exists(directory.resolve("in")));
        assertThat(command().run("break", name, "--force").code()).isZero();

        PackagedCommand.Result result = holder.end();

        assertThat(result.code()).isEqualTo(76);
        assertThat(result.err()).contains("ending the command").doesNotContain("was killed or stopped");
        assertThat(directory.resolve("hook")).hasContent("lost");
    }
}
