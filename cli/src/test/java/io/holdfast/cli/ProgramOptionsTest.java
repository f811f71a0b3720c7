package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the options of {@code holdfast run} for the user's command itself: its words, its time, its repetition. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class ProgramOptionsTest extends CommandOnServers {

    private PackagedCommand by(String shell) {
        return command().by(shell.split(" ", -1));
    }

    static List<String> shells() {
        return Shells.tried();
    }

    /** A file contains the line, since Java cannot pass its letters to a process if its own locale lacks them. */
    @ParameterizedTest
    @MethodSource("shells")
    @Tag("slow")
    void run_shellCommand_isRunByTheShellWithItsBytes(String shell) throws IOException {
        String line = "printf '%s\\n' \"$HOLDFAST_RESOURCE  'x' \\\"y\\\" \\$z *\" b\u00fcro | tr a-z A-Z; exit 7";
        Files.writeString(directory.resolve("line"), line);
        String start = "exec " + shell + " '" + PackagedCommand.LAUNCHER + "' run -c \"$(cat line)\" \"$1\" -n";

        PackagedCommand.Result result = command().exec("setsid", "sh", "-c", start, "sh", name);

        assertThat(result)
                .isEqualTo(new PackagedCommand.Result(
                        7, name.toUpperCase(java.util.Locale.ROOT) + "  'X' \"Y\" $Z *\nB\u00fcRO\n", ""));
    }

    /** The launcher understands only the options for the command line. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "run NAME -c|--command needs a value",
                "run NAME -c true -- true|-c and -- exclude each other",
                "run NAME -c true -c true|-c is given twice",
                "run NAME -c true --command=true|-c is given twice",
                "run NAME --command=true --command=true|-c is given twice",
                "run NAME -c -- true|-c needs a command line, as in -c 'first | second'",
                "run NAME --command=|-c needs a command line"
            })
    void run_wrongUsage_exits64WithTheRemedy(String line, String remedy) {
        PackagedCommand.Result result = command().run(line.replace("NAME", name).split(" "));

        assertThat(result.err()).contains(remedy).hasLineCount(1);
        assertThat(result.code()).isEqualTo(64);
    }

    @Test
    void run_shellCommandAndHelp_printsTheHelp() {
        PackagedCommand.Result result = command().run("run", name, "-c", "echo ran", "--help");

        assertThat(result.code()).isZero();
        assertThat(result.out()).startsWith("Usage:").doesNotContain("ran\n");
    }

    /** A machine that stops for half a second loses such a lease, but not that of each of five runs. */
    @Test
    @Tag("evidence")
    void run_shortestLease_keepsTheLock() {
        String[] run = {"run", name, "--lease", "500ms", "-c", "sleep 2; echo held"};

        assertThat(Stream.generate(() -> command().run(run).out()).limit(5)).anyMatch("held\n"::equals);
    }

    @ParameterizedTest
    @MethodSource("shells")
    @Tag("slow")
    void timeout_longCommand_endsItsGroupAndExits124(String shell) {
        PackagedCommand.Result result =
                by(shell).run("run", name, "--timeout", "1s", "-c", "sleep 1000 & wait; sleep 1000");

        assertThat(result.err())
                .isEqualTo("holdfast: the command of '" + name
                        + "' has run for 1s, as long as --timeout allows; ending it\n");
        assertThat(result.code()).isEqualTo(124);
        assertThat(PackagedCommand.hasProcessOf(name)).isFalse();
        assertIsFree();
    }

    /** The command ignores TERM since its start, so the limit may be over before its first instruction. */
    @Test
    @Tag("evidence")
    void timeout_commandThatIgnoresTerm_isKilledAndTheLockReleased() {
        PackagedCommand.Result result = command()
                .ignoring("TERM")
                .run(
                        "run",
                        name,
                        "--timeout=200ms",
                        "--kill-after=200ms",
                        "--timeout-exit-code=9",
                        "-c",
                        "sleep 1000; sleep 1000");

        assertThat(result.err()).contains("has not ended 200ms after TERM; it receives KILL");
        assertThat(result.code()).isEqualTo(9);
        assertIsFree();
    }

    @Test
    void timeout_commandThatEndsInTime_returnsItsCode() {
        assertThat(command().run("run", name, "--timeout", "1h", "-c", "exit 3"))
                .isEqualTo(new PackagedCommand.Result(3, "", ""));
    }

    @Test
    @Tag("evidence")
    void timeout_quiet_printsNothing() {
        assertThat(command().run("run", name, "-q", "--timeout", "100ms", "--", "sleep", "1000"))
                .isEqualTo(new PackagedCommand.Result(124, "", ""));
    }

    /** The shells report the end of the Java process, unless they know that the user wants no messages. */
    @ParameterizedTest
    @CsvSource({"-q, 0", "-n, 1"})
    void lostExitCode_javaIsKilled_isReturnedWithAMessageUnlessQuiet(String option, int lines) {
        PackagedCommand.Running running =
                command().start("run", name, option, "--lost-exit-code=7", "-c", "echo in >log; exec sleep 1000");
        eventually("the command runs", () -> Files.exists(directory.resolve("log")));

        running.killJava();

        assertThat(running.end().code()).isEqualTo(7);
        assertThat(running.errors()).hasLineCount(lines);
    }

    @ParameterizedTest
    @MethodSource("shells")
    @Tag("slow")
    void retries_commandThatSucceedsAtLast_returnsZero(String shell) {
        String line = "echo try $HOLDFAST_ATTEMPT; [ $HOLDFAST_ATTEMPT = 3 ]";

        assertThat(by(shell).run("run", name, "--retries", "5", "--retry-delay", "50ms", "-c", line))
                .isEqualTo(new PackagedCommand.Result(0, "try 1\ntry 2\ntry 3\n", ""));
    }

    /** The shell that repeats the command must not take its own command of the same name. */
    @ParameterizedTest
    @MethodSource("shells")
    @Tag("slow")
    void retries_programWithTheNameOfAShellCommand_runsTheProgram(String shell) throws IOException {
        Path program = directory.resolve("bin/test");
        Files.createDirectory(directory.resolve("bin"));
        Files.writeString(program, "#!/bin/sh\necho \"mine $#\"; exit 5\n");
        assertThat(PackagedCommand.shell("chmod +x '" + program + "'")).isTrue();
        String path = program.getParent() + ":" + System.getenv("PATH");

        assertThat(by(shell).with("PATH", path).run("run", name, "--retries=1", "--retry-delay=0", "--", "test", "a b"))
                .isEqualTo(new PackagedCommand.Result(5, "mine 1\nmine 1\n", ""));
    }

    @ParameterizedTest
    @MethodSource("shells")
    @Tag("slow")
    void retries_signal_endsTheCommandForGood(String shell) {
        PackagedCommand.Running running = by(shell)
                .start("run", name, "--retries", "5", "--retry-delay", "0", "-c", "echo try >>log; exec sleep 1000");
        eventually("the command runs", () -> {
            Path log = directory.resolve("log");
            // The shell creates the file before it writes.
            return Files.exists(log) && Files.size(log) > 0;
        });

        running.signal("TERM");

        assertThat(running.end().code()).isEqualTo(143);
        assertThat(directory.resolve("log")).hasContent("try");
        assertIsFree();
    }

    /** The command decides on the exit code, and no pause follows. */
    @ParameterizedTest
    @MethodSource("shells")
    @Tag("slow")
    void retries_commandThatHandlesTheSignal_returnsItsCode(String shell) {
        PackagedCommand.Running running = by(shell)
                .start(
                        "run",
                        name,
                        "--retries=5",
                        "--retry-delay=1000s",
                        "-c",
                        "trap 'exit 5' TERM; echo in >log; while :; do sleep 0.02; done");
        eventually("the command runs", () -> Files.exists(directory.resolve("log")));

        running.signal("TERM");

        assertThat(running.end().code()).isEqualTo(5);
    }

    static List<String> installedShells() {
        return Stream.of("dash", "bash", "busybox sh")
                .filter(shell -> PackagedCommand.shell(shell + " -c : 2>/dev/null"))
                .toList();
    }

    /** Runs the shell that repeats a command by itself; the answer to its question is in a file. */
    private PackagedCommand.Result retry(String shell, String redirection, String line) {
        String retry = PackagedCommand.LAUNCHER.replace("/bin/holdfast", "/lib/retry");
        String script = "[ -p reports ] || mkfifo reports; echo again >answers; exec " + shell + " '" + retry
                + "' 1 9 reports sh -c \"$1\" 9<answers " + redirection;
        return command().exec("sh", "-c", script, "sh", line);
    }

    /** Without {@code --retries}, no shell reports how the command ended. */
    @ParameterizedTest
    @MethodSource("installedShells")
    void retries_commandEndsByASignal_onlyTheCommandWritesToStderr(String shell) {
        assertThat(retry(shell, "", "echo mine >&2; kill -KILL $$"))
                .isEqualTo(new PackagedCommand.Result(137, "", "mine\nmine\n"));
        assertThat(retry(shell, "", "kill -SEGV $$").err()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("installedShells")
    void retries_descriptors_areThoseOfTheCaller(String shell) {
        String line = "for n in 0 1 2 3 4 5 6 7 8 9; do [ ! -h /proc/$$/fd/$n ] || printf $n; done";

        assertThat(retry(shell, "", line).out()).isEqualTo("012");
        assertThat(retry(shell, "3>&1 4>&1", line).out()).isEqualTo("01234");
    }

    @Test
    @Tag("evidence")
    void timeout_pauseBeforeARetry_printsOnlyTheReason() {
        PackagedCommand.Result result = command()
                .run("run", name, "--retries", "1", "--retry-delay", "1000s", "--timeout", "500ms", "--", "false");

        assertThat(result)
                .isEqualTo(new PackagedCommand.Result(
                        124,
                        "",
                        "holdfast: the command of '" + name
                                + "' has run for 500ms, as long as --timeout allows; ending it\n"));
    }

    @Test
    void retries_signalInThePause_endsThePause() {
        PackagedCommand.Running running = command()
                .start("run", name, "--retries", "5", "--retry-delay", "1000s", "-c", "echo try >>log; exit 1");
        eventually("the pause has begun", () -> running.hasThread("holdfast-retry"));

        running.signal("TERM");

        assertThat(running.end().code()).isEqualTo(143);
        assertIsFree();
    }

    @Test
    void cleanEnv_secrets_areRemovedFromTheCommandOnly() {
        String line = "env | grep -E '^HOLDFAST_(NODES|PASSWORD|HANDLE|FENCE)=' | cut -d= -f1";
        PackagedCommand secret = command().with("HOLDFAST_PASSWORD", "").with("HOLDFAST_HANDLE", "hf1:secret");

        assertThat(secret.run("run", name, "--clean-env", "-c", line).out()).isEqualTo("HOLDFAST_FENCE\n");
        assertThat(secret.run("run", name, "-c", line).out().lines()).hasSize(4);
    }

    private void assertIsFree() {
        assertThat(command().run("status", name).code()).isEqualTo(1);
    }

    /** Scripts of bash export their options to all others in this way. */
    @ParameterizedTest
    @ValueSource(strings = {"--retries=0", "--retries=1 --retry-delay=0"})
    @Tag("evidence")
    void run_exportedOptionsOfBash_reachOnlyTheCommand(String options) {
        assumeThat(PackagedCommand.shell("command -v bash >/dev/null")).isTrue();
        String line = "set -euf; export SHELLOPTS; exec bash \"$0\" run \"$1\" " + options
                + " -- bash -c 'echo $-; false; echo no'";

        PackagedCommand.Result result = command().exec("bash", "-c", line, PackagedCommand.LAUNCHER, name);

        assertThat(result.code()).isEqualTo(1);
        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines()).isNotEmpty().allMatch(flags -> flags.matches("[a-zA-Z]*e[a-zA-Z]*"));
    }

    @Test
    void run_exportedTraceOfBash_showsNoVariables() {
        assumeThat(PackagedCommand.shell("command -v bash >/dev/null")).isTrue();

        PackagedCommand.Result result = command()
                .with("MY_SECRET", "hunter2")
                .with("SHELLOPTS", "xtrace")
                .by("bash")
                .run("run", name, "--", "true");

        assertThat(result.code()).isZero();
        assertThat(result.err()).doesNotContain("hunter2");
    }
}
