package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.RedisServers;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests the history of runs as processes on real servers. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class HistoryTest extends CommandOnServers {

    private static final String TIME = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d";

    @Test
    void log_neverRun_exits1() {
        assertThat(command().run("log", name))
                .isEqualTo(new PackagedCommand.Result(1, "", "holdfast: no run of '" + name + "' is known\n"));
        assertThat(command().run("log", name, "--json").out()).isEmpty();
    }

    @Test
    void log_afterRuns_printsTheNewestFirst() {
        command().run("run", name, "--", "sh", "-c", "exit 3");
        command().run("run", name, "--", "true");

        PackagedCommand.Result log = command().run("log", name);

        assertThat(log.code()).isZero();
        assertThat(log.out().lines()).hasSize(2);
        assertThat(log.out())
                .matches(TIME
                        + "  exit 0 after \\d+\\.\\d s, after a wait of \\d+\\.\\d s, by .*@.*, pid \\d+ \\(true\\)\n"
                        + TIME + "  exit 3 after .*\\(sh\\)\n");
        assertThat(command().run("log", name, "-n", "1").out())
                .contains("exit 0")
                .doesNotContain("exit 3");
    }

    @Test
    void log_json_printsAnObjectForEachRun() {
        command().run("run", name, "--", "false");

        assertThat(command().run("log", name, "--json").out())
                .matches("\\{\"resource\":\"" + name + "\",\"fence\":\\d+,\"host\":\"[^\"]+\",\"user\":\"[^\"]+\","
                        + "\"pid\":\\d+,\"program\":\"false\",\"start\":\"[^\"]+Z\",\"end\":\"[^\"]+Z\","
                        + "\"waitMillis\":\\d+,"
                        + "\"exitCode\":1,\"lost\":false,\"running\":false,"
                        + "\"kind\":\"command\",\"result\":\"failed\",\"error\":null\\}\n");
    }

    /** The end of a killed process is never reported, and the next run keeps that on record. */
    @Test
    @Tag("evidence")
    void log_processIsKilled_saysThatItsEndIsMissing() {
        PackagedCommand.Running run = command()
                .start("run", name, "--lease", "3s", "--", "sh", "-c", "until [ -e end ]; do sleep 0.02; done");
        eventually(
                "the start is recorded", () -> command().run("log", name).out().contains("running"));
        assertThat(command().run("log", name, "--json").out())
                .contains("\"end\":null", "\"exitCode\":null", "\"running\":true");

        run.killJava();
        assertThat(run.end().code()).isEqualTo(76);
        eventually("the lock is free", () -> command().run("status", name).code() == 1);

        assertThat(command().run("log", name).out()).contains("did not report its end");
        command().run("run", name, "--", "true");
        assertThat(command().run("log", name).out()).contains("exit 0", "did not report its end");
    }

    @Test
    void status_afterARun_showsIt() {
        assertThat(command().run("status", name).out()).doesNotContain("last run");
        command().run("run", name, "--", "sh", "-c", "exit 5");

        String line = "  last run  " + TIME + "  exit 5 after .*";
        assertThat(command().run("status", name).out().lines()).anyMatch(shown -> shown.matches(line));
        assertThat(command().run("watch", name, "--count", "1").out().lines()).anyMatch(shown -> shown.matches(line));
        assertThat(command().run("status", name, "--json").out()).contains("\"lastRun\":{\"fence\":", "\"exitCode\":5");
        assertThat(command().run("watch", name, "--count", "1", "--json").out()).contains("\"exitCode\":5");
    }

    /** Without names, watch shows the held locks. */
    @Test
    void watch_withoutNames_showsTheLastRunOfEachHeldLock() {
        command().run("run", name, "--", "sh", "-c", "exit 5");

        String text = command()
                .run("run", name, "--", PackagedCommand.LAUNCHER, "watch", "--count", "1")
                .out();
        String json = command()
                .run("run", name, "--", PackagedCommand.LAUNCHER, "watch", "--count", "1", "--json")
                .out();

        assertThat(text.lines()
                        .dropWhile(line -> !line.startsWith("'" + name + "'"))
                        .limit(2)
                        .toList())
                .satisfiesExactly(
                        lock -> assertThat(lock).contains("is held by"),
                        last -> assertThat(last).matches("  last run  " + TIME + "  exit 5 after .*"));
        assertThat(json.lines().filter(line -> line.contains(name)))
                .singleElement()
                .asString()
                .contains("\"exitCode\":");
    }

    @Test
    void status_whileItRuns_showsTheRunBefore() {
        command().run("run", name, "--", "sh", "-c", "exit 5");

        String status = "until '" + PackagedCommand.LAUNCHER + "' status '" + name
                + "' | tee status | grep -q 'is held by'; do" + " :; done; cat status";
        String inside = command().run("run", name, "--", "sh", "-c", status).out();

        assertThat(inside).contains("is held by", "exit 5").doesNotContain("running");
    }

    /** A job must not fail because its record does. */
    @Test
    void run_recordCannotBeWritten_returnsTheExitCode() {
        servers.forEach(server -> server.exec("RPUSH", "{" + name + "}:holdfast:record", "of another type"));

        assertThat(command().run("run", name, "--", "sh", "-c", "exit 3"))
                .isEqualTo(new PackagedCommand.Result(3, "", ""));
        assertThat(command().run("run", name, "-v", "--", "true").err()).contains("the run was not recorded");
    }

    @Test
    void log_tooFewServers_exits69() {
        try (RedisServers dead = RedisServers.start(3)) {
            dead.get(0).kill();
            dead.get(1).kill();

            PackagedCommand.Result log = PackagedCommand.on(directory, dead).run("log", name);

            assertThat(log.code()).isEqualTo(69);
            assertThat(log.err()).contains("unknown when '" + name + "' ran last: too few servers answer");
        }
    }

    @Test
    void log_tooFewServersOfAKnownLock_printsTheirRunsAndExits69() {
        try (RedisServers dead = RedisServers.start(3)) {
            PackagedCommand last = PackagedCommand.on(directory, dead);
            assertThat(last.run("run", name, "--", "true").code()).isZero();
            // The run ends when two servers have the record.
            int recorded = new LockKeys(dead, name)
                    .withKey("{" + name + "}:holdfast:record")
                    .findFirst()
                    .orElseThrow();
            IntStream.range(0, 3)
                    .filter(server -> server != recorded)
                    .forEach(server -> dead.get(server).kill());

            PackagedCommand.Result log = last.run("log", name);

            assertThat(log.out()).contains("(true)").hasLineCount(1);
            assertThat(log.err())
                    .isEqualTo("holdfast: newer runs of '" + name + "' may be missing: too few servers answer;"
                            + " `holdfast doctor` shows why\n");
            assertThat(log.code()).isEqualTo(69);
            assertThat(last.run("log", name, "--json").code()).isEqualTo(69);
        }
    }

    @Test
    void log_wrongCount_exits64() {
        assertThat(command().run("log", name, "-n", "0").err()).contains("'0' is not a number of runs");
        assertThat(command().run("log").code()).isEqualTo(64);
    }

    /** Several holders would overwrite each other's records. */
    @Test
    void log_afterASharedRun_printsItNot() {
        command().run("run", name, "--", "sh", "-c", "exit 5");
        assertThat(command().run("run", name, "-s", "--", "false")).isEqualTo(new PackagedCommand.Result(1, "", ""));

        assertThat(command().run("log", name).out()).contains("exit 5").hasLineCount(1);
    }
}
