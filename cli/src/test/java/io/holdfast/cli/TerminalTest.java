package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code holdfast run} in an interactive shell with job control, on a pseudo-terminal of script(1). */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("terminal")
class TerminalTest extends CommandOnServers {

    private static final String CTRL_C = "\u0003";
    private static final String CTRL_Z = "\u001a";
    private static final String JOB = "echo $$ >pid; while :; do echo beat >>alive; sleep 0.05; done";

    /** The result of {@code wait} for a job that a read from the terminal has stopped. */
    private static final int STOPPED_BY_TTIN = 128 + 21;

    private @Nullable Process terminal;

    @AfterEach
    void closeTerminal() {
        if (terminal != null) {
            terminal.destroyForcibly();
        }
    }

    static List<String> shells() {
        return Shells.tried();
    }

    private void open(String shell) throws IOException {
        Assumptions.assumeTrue(PackagedCommand.shell("command -v script >/dev/null"), "script(1) is not installed");
        Files.writeString(directory.resolve("job"), JOB);
        List<String> words = new ArrayList<>(DefaultSignals.prefix());
        words.addAll(List.of("script", "-qec", shell + " -i", "screen"));
        ProcessBuilder builder = new ProcessBuilder(words).directory(directory.toFile());
        builder.environment().put("HOLDFAST_NODES", String.join(",", servers.addresses()));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("ENV", "");
        builder.environment().remove("POSIXLY_CORRECT");
        terminal = builder.redirectOutput(directory.resolve("output").toFile()).start();
    }

    private void type(String keys) throws IOException {
        OutputStream keyboard = Objects.requireNonNull(terminal).getOutputStream();
        keyboard.write(keys.getBytes(StandardCharsets.US_ASCII));
        keyboard.flush();
    }

    private String holdfast(String shell, String rest) {
        return shell + " '" + PackagedCommand.LAUNCHER + "' run " + name + " " + rest;
    }

    /** Returns the state of the process whose id is in the file, such as {@code T} for stopped. */
    private String state() throws IOException {
        Path pid = directory.resolve("pid");
        if (!Files.exists(pid) || Files.readString(pid).isBlank()) {
            return "";
        }
        Path stat = Path.of("/proc", Files.readString(pid).strip(), "stat");
        return Files.exists(stat) ? Files.readString(stat).replaceAll("(?s).*\\) (.).*", "$1") : "ended";
    }

    private long beats() throws IOException {
        Path alive = directory.resolve("alive");
        return Files.exists(alive) ? Files.readAllLines(alive).size() : 0;
    }

    private boolean isHeldFor(String time) {
        return command().run("run", name, "-w", time, "--", "true").code() == 75;
    }

    @ParameterizedTest
    @MethodSource("shells")
    @Tag("evidence")
    void ctrlZ_stopsTheCommandAndNotTheRenewal(String shell) throws IOException {
        open("sh");
        type(holdfast(shell, "--lease 5s -- sh ./job") + "\n");
        eventually("the command runs", () -> beats() > 0);

        type(CTRL_Z);
        eventually(
                "the job is stopped",
                () -> Files.readString(directory.resolve("output")).contains("Stopped"));
        long before = beats();
        assertThat(isHeldFor("6s")).isTrue();
        assertThat(beats()).isEqualTo(before);

        type("fg\n");
        eventually("the command continues", () -> beats() > before + 1);

        type(CTRL_C);
        eventually("the command has ended", () -> state().equals("ended"));
        type("echo \"code=$?\" >part; mv part code\n");
        eventually("the shell has the code", () -> Files.exists(directory.resolve("code")));
        assertThat(directory.resolve("code")).hasContent("code=130\n");
        assertThat(new LockKeys(servers, name).isHeld()).isFalse();
    }

    @Test
    void background_readsTheTerminal_isStopped() throws IOException {
        open("sh");
        type(holdfast("sh", "-- sh -c 'echo $$ >pid; exec cat'") + " &\n");
        type("wait $!; echo \"code=$?\" >part; mv part code\n");

        eventually("the job has ended or stopped", () -> Files.exists(directory.resolve("code")));
        assertThat(Files.readString(directory.resolve("code")))
                .as(Files.readString(directory.resolve("output")))
                .isEqualTo("code=" + STOPPED_BY_TTIN + "\n");
        assertThat(state()).isEqualTo("T");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tty", "stty size", "sh -c 'echo answer >/dev/tty'"})
    void run_atATerminal_hasTheTerminal(String command) throws IOException {
        open("sh");
        type(holdfast("sh", "-- " + command) + "; echo \"code=$?\" >part; mv part code\n");
        eventually("the command has ended", () -> Files.exists(directory.resolve("code")));

        assertThat(directory.resolve("code")).hasContent("code=0\n");
    }

    /** Java gives a lock back if the script that should start the command is stopped, and then waits again. */
    @ParameterizedTest
    @MethodSource("shells")
    void ctrlC_whileJavaWaitsAgainAfterAStop_endsTheWait(String shell) throws IOException {
        open("sh");
        PackagedCommand.Running first = command().start("run", name, "--", "sleep", "1000");
        eventually("the lock is held", new LockKeys(servers, name)::isHeld);
        type(holdfast(shell, "-- true") + "\n");
        eventually("the waiter is queued", new LockKeys(servers, name)::hasOneWaiter);
        type(CTRL_Z);
        eventually(
                "the job is stopped",
                () -> Files.readString(directory.resolve("output")).contains("Stopped"));
        first.process().destroy();
        first.end();
        PackagedCommand.Running second =
                command().start("run", name, "--", "sh", "-c", "echo in >second; exec sleep 1000");
        eventually("another one holds the lock", () -> Files.exists(directory.resolve("second")));
        type("fg\n");
        eventually("the waiter is queued again", new LockKeys(servers, name)::hasOneWaiter);

        type(CTRL_C);
        type("echo \"code=$?\" >part; mv part code\n");

        eventually("the shell has the code", () -> Files.exists(directory.resolve("code")));
        assertThat(directory.resolve("code")).hasContent("code=130\n");
        second.process().destroy();
        second.end();
    }

    @Test
    void ctrlC_whileWaiting_endsTheWait() throws IOException {
        open("sh");
        PackagedCommand.Running holder = command().start("run", name, "--", "sleep", "1000");
        eventually("the lock is held", new LockKeys(servers, name)::isHeld);
        type(holdfast("sh", "-- true") + "; echo \"code=$?\" >part; mv part code\n");
        eventually("the waiter is queued", new LockKeys(servers, name)::hasOneWaiter);

        type(CTRL_C);

        eventually("the shell has the code", () -> Files.exists(directory.resolve("code")));
        assertThat(directory.resolve("code")).hasContent("code=130\n");
        holder.process().destroy();
        holder.end();
    }
}
