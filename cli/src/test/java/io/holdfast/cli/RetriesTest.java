package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that {@code holdfast run --retries} runs a command again only while the lock is held. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class RetriesTest extends CommandOnServers {

    private static final String NOT_AGAIN = "the command is not run again, because the lock is lost";

    /** A command that says when it runs, waits for a file and fails. */
    private static final String FAILS_LATER = "echo try >>log; until [ -e go ]; do sleep 0.02; done; exit 4";

    static List<String> shells() {
        return Shells.tried();
    }

    private Path log() {
        return directory.resolve("log");
    }

    private PackagedCommand.Running started(String shell, String delay, String line) {
        PackagedCommand.Running running = command()
                .by(shell.split(" ", -1))
                .start("run", name, "--on-lost=warn", "--retries=5", "--retry-delay=" + delay, "-c", line);
        eventually("the command runs", () -> Files.exists(log()));
        return running;
    }

    private PackagedCommand.Running started(String delay, String line) {
        return started(Shells.tried().get(0), delay, line);
    }

    private void removeLock() {
        servers.forEach(server -> server.exec("DEL", name));
    }

    /** Another client may hold the lock by then. */
    @ParameterizedTest
    @MethodSource("shells")
    @Tag("slow")
    void run_lockIsLostWhileTheCommandRuns_doesNotRunItAgain(String shell) throws IOException {
        PackagedCommand.Running running = started(shell, "0", FAILS_LATER);

        removeLock();
        eventually("the loss is reported", () -> running.errors().contains("continues without it"));
        Files.createFile(directory.resolve("go"));

        assertThat(running.end().code()).isEqualTo(4);
        assertThat(log()).hasContent("try");
        assertThat(running.errors()).contains(NOT_AGAIN);
    }

    @Test
    void run_lockIsLostBeforeARetry_endsThePause() {
        PackagedCommand.Running running = started("1000s", "echo try >>log; exit 4");

        removeLock();

        assertThat(running.end().code()).isEqualTo(4);
        assertThat(log()).hasContent("try");
        assertThat(running.errors()).contains(NOT_AGAIN);
    }

    /** Nothing renews the lock then, and nothing learns of its loss. */
    @ParameterizedTest
    @MethodSource("shells")
    @Tag("slow")
    void run_javaIsKilled_doesNotRunTheCommandAgain(String shell) throws IOException {
        PackagedCommand.Running running = started(shell, "0", FAILS_LATER);

        running.killJava();
        Files.createFile(directory.resolve("go"));

        assertThat(running.end().code()).isEqualTo(4);
        assertThat(log()).hasContent("try");
    }

    @ParameterizedTest
    @MethodSource("shells")
    @Tag("slow")
    void run_commandHandlesUsr1_receivesItAndContinues(String shell) throws IOException {
        PackagedCommand.Running running = started(
                shell, "0", "trap 'echo signal >>log' USR1; echo try >>log; until [ -e go ]; do sleep 0.02; done");

        running.signal("USR1");
        eventually("the signal has arrived", () -> Files.readString(log()).contains("signal"));
        Files.createFile(directory.resolve("go"));

        assertThat(running.end().code()).isZero();
        assertThat(log()).hasContent("try\nsignal");
    }

    /** Java prints its threads then, which must not be read as an answer. */
    @Test
    void run_javaReceivesQuit_runsTheCommandAgain() throws IOException {
        PackagedCommand.Running running = started("0", FAILS_LATER);

        running.process()
                .descendants()
                .filter(below -> below.info().command().orElse("").endsWith("/java"))
                .forEach(java -> PackagedCommand.shell("kill -s QUIT " + java.pid()));
        eventually("the threads are printed", () -> running.errors().contains("thread dump"));
        Files.createFile(directory.resolve("go"));

        assertThat(running.end().code()).isEqualTo(4);
        assertThat(log()).hasContent("try\ntry\ntry\ntry\ntry\ntry");
    }

    /** Otherwise both attempts would work at the same time, under one lock. */
    @Test
    void run_attemptLeavesAProcess_runsAgainWhenItHasEnded() throws IOException {
        PackagedCommand.Running running = PackagedCommand.on(directory, servers)
                .start(
                        "run",
                        name,
                        "-v",
                        "--retries=1",
                        "--retry-delay=0",
                        "-c",
                        "echo try >>log; (until [ -e go ]; do sleep 0.02; done; echo rest >>log) & exit 4");
        eventually("the retry waits", () -> running.errors().contains("it runs again when the processes"));
        Files.createFile(directory.resolve("go"));

        assertThat(running.end().code()).isEqualTo(4);
        assertThat(log()).hasContent("try\nrest\ntry\nrest");
    }

    /** The pause between two attempts needs no program. */
    @Test
    void run_noProgramOnThePath_runsTheCommandAgain() {
        String line = "PATH=\"$PWD\" exec \"$0\" run \"$1\" --retries 2 --retry-delay 0 -c 'echo ran; exit 7'";

        assertThat(command().exec("sh", "-c", line, PackagedCommand.LAUNCHER, name))
                .isEqualTo(new PackagedCommand.Result(7, "ran\nran\nran\n", ""));
    }
}
