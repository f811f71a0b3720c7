package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.RedisServers;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a command does not outlive its lock without the script and the watchdog. The test plays their roles. */
@Tag("process")
@Tag("evidence")
class InternalFailureTest {

    @TempDir
    private Path directory;

    /** The report means nothing. */
    @Test
    void run_failsWhileTheCommandRuns_endsTheCommandBeforeTheRelease() throws Exception {
        String name = "failure-" + UUID.randomUUID();
        Process command = new ProcessBuilder("setsid", "sleep", "1000").start();
        try (RedisServers servers = RedisServers.start(1)) {
            Process java = start(name, servers);
            BufferedReader answers = java.inputReader();
            skipTo(answers, "granted ");
            send(java, "started " + command.pid() + " 0 " + command.pid() + " 0");
            skipTo(answers, "go ");
            assertThat(PackagedCommand.on(directory, servers)
                            .run("status", name)
                            .code())
                    .as("the lock is held")
                    .isZero();

            send(java, "ended nonsense");

            assertThat(answers.lines()).last().isEqualTo("exit 125");
            eventually("the command has ended", () -> !command.isAlive());
            assertThat(PackagedCommand.on(directory, servers)
                            .run("status", name)
                            .out())
                    .contains("is free");
        } finally {
            command.destroyForcibly();
        }
    }

    /** Its parent obeys TERM, so the script reports the end of the command before KILL is due. */
    @Test
    void lost_processIgnoresTermAndItsParentHasEnded_isKilled() throws Exception {
        String name = "rest-" + UUID.randomUUID();
        Process rest = new ProcessBuilder("setsid", "sh", "-c", "trap '' TERM; exec sleep 1000").start();
        try (RedisServers servers = RedisServers.start(1)) {
            Process java = start(name, servers);
            BufferedReader answers = java.inputReader();
            skipTo(answers, "granted ");
            send(java, "started " + rest.pid() + " 0 " + rest.pid() + " 0");
            skipTo(answers, "go ");

            servers.get(0).exec("DEL", name);
            eventually(
                    "TERM is sent",
                    () -> Files.readString(directory.resolve("err")).contains("; ending the command"));
            send(java, "ended 143");

            assertThat(answers.lines()).last().isEqualTo("exit 76");
            eventually("the process has ended", () -> !rest.isAlive());
        } finally {
            rest.destroyForcibly();
        }
    }

    private Process start(String name, RedisServers servers) throws IOException {
        ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Dholdfast.launcher=" + ProcessHandle.current().pid(),
                "-cp",
                PackagedCommand.JAR.toString(),
                "io.holdfast.cli.Main",
                "run",
                name,
                "--",
                "sleep");
        java.environment().put("HOLDFAST_NODES", String.join(",", servers.addresses()));
        return java.redirectError(directory.resolve("err").toFile()).start();
    }

    private static void skipTo(BufferedReader answers, String start) throws IOException {
        String line = answers.readLine();
        while (line != null && !line.startsWith(start)) {
            line = answers.readLine();
        }
        assertThat(line).startsWith(start);
    }

    private static void send(Process java, String report) throws IOException {
        java.getOutputStream().write((report + "\n").getBytes(StandardCharsets.US_ASCII));
        java.getOutputStream().flush();
    }
}
