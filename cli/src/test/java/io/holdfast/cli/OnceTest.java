package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests {@code holdfast run --once-per} as a process on real servers. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class OnceTest extends CommandOnServers {

    private static final PackagedCommand.Result SILENT = new PackagedCommand.Result(0, "", "");

    private PackagedCommand.Result once(String period, String script, String... options) {
        return once(command(), period, script, options);
    }

    private PackagedCommand.Result once(PackagedCommand on, String period, String script, String... options) {
        String[] words = Stream.of(
                        List.of("run", name, "--once-per", period), List.of(options), List.of("--", "sh", "-c", script))
                .flatMap(List::stream)
                .toArray(String[]::new);
        return on.run(words);
    }

    static List<String> periods() {
        return Variants.first(1, Stream.of("1h", "366d", "@daily", "@monthly"));
    }

    @ParameterizedTest
    @MethodSource("periods")
    void run_afterASuccess_isSkippedWithoutAMessage(String period) {
        assertThat(once(period, "echo ran").out()).isEqualTo("ran\n");

        assertThat(once(period, "echo ran")).isEqualTo(SILENT);
        PackagedCommand.Result verbose = once(period, "echo ran", "-v");
        assertThat(verbose.out()).isEmpty();
        assertThat(verbose.err()).contains("'" + name + "' has run at ", "the command is skipped");
    }

    /** For other programs than Java, this zone is three hours west of Greenwich. */
    @Test
    @Tag("evidence")
    void run_ambiguousTimeZone_exits64ForCalendarPeriodsOnly() {
        PackagedCommand other = command().with("TZ", "GMT+3");

        assertThat(once(other, "@daily", "echo ran").code()).isEqualTo(64);
        assertThat(once(other, "55m", "echo ran").out()).isEqualTo("ran\n");
    }

    @Test
    void run_afterAFailure_runsAgain() {
        assertThat(once("1h", "exit 3").code()).isEqualTo(3);

        assertThat(once("1h", "echo ran").out()).isEqualTo("ran\n");
        assertThat(once("1h", "echo ran")).isEqualTo(SILENT);
    }

    @Test
    void run_periodIsOver_runsAgain() {
        assertThat(once("1s", "sleep 1.1").code()).isZero();

        assertThat(once("1s", "echo ran").out()).isEqualTo("ran\n");
    }

    @Test
    void run_withoutThePeriod_runsAlways() {
        once("1h", "true");

        assertThat(command().run("run", name, "--", "echo", "ran").out()).isEqualTo("ran\n");
    }

    /** Such as a run that is typed by hand, to see whether the servers work. */
    @Test
    void run_successWithoutThePeriodInBetween_doesNotCount() {
        assertThat(command().run("run", name, "-n", "--", "true")).isEqualTo(SILENT);

        assertThat(once("1h", "echo ran").out()).isEqualTo("ran\n");
    }

    /** The second of two jobs with the same name would never run. */
    @Test
    @Tag("evidence")
    void run_skippedAfterAnotherProgram_warns() {
        once("1h", "true");

        PackagedCommand.Result other =
                command().run("run", name, "--once-per", "1h", "--", "/usr/bin/env", "echo", "ran");

        assertThat(other.code()).isZero();
        assertThat(other.out()).isEmpty();
        assertThat(other.err())
                .contains("its program was 'sh'", "'/usr/bin/env' is skipped", "holdfast mark " + name + " --forget");
        assertThat(command().run("run", name, "--once-per", "1h", "--", "/bin/sh", "-c", "echo ran"))
                .isEqualTo(SILENT);
    }

    @Test
    void mark_forget_runsAgain() {
        once("1h", "true");

        assertThat(command().run("mark", name, "--forget").out()).startsWith("'" + name + "': forgot the success of ");
        assertThat(command().run("mark", name, "--forget").out()).contains("no success was on record");
        assertThat(once("1h", "echo ran").out()).isEqualTo("ran\n");
    }

    @Test
    void mark_succeeded_skipsTheJobAndIsInTheLog() {
        assertThat(command().run("mark", name, "--succeeded").out()).contains("marked as succeeded at ");

        assertThat(once("1h", "echo ran")).isEqualTo(SILENT);
        assertThat(command().run("log", name).out())
                .contains("exit 0", "(holdfast mark)")
                .hasLineCount(1);
    }

    @Test
    void mark_jobRuns_exits75WithoutWaiting() throws IOException {
        PackagedCommand.Running job = command().start("run", name, "-c", "echo >in; exec sleep 1000");
        eventually("the job runs", () -> Files.exists(directory.resolve("in")));

        assertThat(command().run("mark", name, "--forget", "-n").code()).isEqualTo(75);
        job.process().destroy();
        job.end();
    }

    @Test
    void mark_noneOrBothOptions_exits64() {
        assertThat(command().run("mark", name).code()).isEqualTo(64);
        assertThat(command().run("mark", name, "--forget", "--succeeded").err())
                .contains("give one of --succeeded and --forget");
    }

    @Test
    void mark_noServerAnswers_exits69() {
        PackagedCommand.Result result =
                command().with(NodesOptions.VARIABLE, "redis://127.0.0.1:1").run("mark", name, "--forget", "-n");

        assertThat(result.code()).isEqualTo(69);
        assertThat(result.out()).isEmpty();
    }

    /** A run without a period keeps the success on record, also if it fails. */
    @Test
    void run_failureWithoutThePeriodInBetween_isSkipped() {
        once("1h", "true");
        command().run("run", name, "--", "false");

        assertThat(once("1h", "echo ran")).isEqualTo(SILENT);
    }

    @Test
    void run_machinesStartTogether_oneRunsAndOthersAreSkipped() throws IOException {
        List<PackagedCommand.Running> machines = Stream.generate(() -> command()
                        .start("run", name, "--once-per", "@daily", "--", "sh", "-c", "echo ran >>log; sleep 0.3"))
                .limit(4)
                .toList();

        assertThat(machines).allSatisfy(machine -> assertThat(machine.end()).isEqualTo(SILENT));
        assertThat(Files.readString(directory.resolve("log"))).isEqualTo("ran\n");
    }

    @Test
    void run_firstMachineFails_nextOneRuns() throws IOException {
        PackagedCommand.Running first = command()
                .start(
                        "run",
                        name,
                        "--once-per",
                        "1h",
                        "--",
                        "sh",
                        "-c",
                        "echo >in; until [ -e go ]; do sleep 0.02; done; exit 9");
        eventually("the first one runs", () -> Files.exists(directory.resolve("in")));
        PackagedCommand.Running second = command().start("run", name, "--once-per", "1h", "--", "echo", "ran");
        eventually("the second one waits", new LockKeys(servers, name)::hasOneWaiter);
        Files.createFile(directory.resolve("go"));

        assertThat(first.end().code()).isEqualTo(9);
        assertThat(second.end()).isEqualTo(new PackagedCommand.Result(0, "ran\n", ""));
    }

    @Test
    void run_lockWasLost_runsAgain() {
        PackagedCommand.Result lost = once(
                "1h",
                "\"$0\" break \"$HOLDFAST_RESOURCE\" --force; trap 'exit 0' TERM; sleep 1000 & wait"
                        .replace("$0", PackagedCommand.LAUNCHER));
        assertThat(lost.code()).isEqualTo(76);

        assertThat(command().run("log", name).out()).contains("lock lost");
        assertThat(once("1h", "echo ran").out()).isEqualTo("ran\n");
    }

    /**
     * The release finds that the lock was gone, after the success was recorded. The lease is so long that nothing
     * extends it before, which would also notice the loss.
     */
    @Test
    @Tag("evidence")
    void run_lockWasGoneAtTheEnd_runsAgain() {
        try (RedisServers nodes = RedisServers.start(3)) {
            PackagedCommand on = PackagedCommand.on(directory, nodes);
            String[] longest = {"--max-lease", "24h", "--lease", "24h"};
            String evict = "for port in "
                    + String.join(
                            " ",
                            nodes.uris().stream().map(uri -> "" + uri.getPort()).toList())
                    + "; do printf 'DEL " + name
                    + "\\r\\n' | bash -c 'exec 3<>/dev/tcp/127.0.0.1/'$port'; cat >&3; read -r _ <&3'"
                    + "; done";
            PackagedCommand.Result lost = once(on, "1h", evict, longest);
            assertThat(lost.code()).isEqualTo(76);

            assertThat(on.run("log", name, "--max-lease", "24h").out()).contains("exit 0", "lock lost");
            assertThat(once(on, "1h", "echo ran", longest).out()).isEqualTo("ran\n");
        }
    }

    /** Both servers that answer have forgotten the success; the one that has it is stopped. */
    @Test
    @Tag("evidence")
    void run_serversThatAnswerHaveForgotten_reactsAsToUnreachableServers() {
        try (RedisServers nodes = RedisServers.start(3)) {
            PackagedCommand on = PackagedCommand.on(directory, nodes);
            String[] shortLease = {"--max-lease", "1s"};
            nodes.forEach(node -> node.exec("DEL", "holdfast:marker"));
            assertThat(once(on, "1h", "echo ran", shortLease).out()).isEqualTo("ran\n");
            awaitRecord(on, nodes.get(1), shortLease);
            nodes.get(0).restartEmpty();
            assertThat(on.run("doctor", "--max-lease", "1s").code()).isNotEqualTo(125);
            eventually("the first server votes", () -> votes(on, 3));
            nodes.get(2).restartEmpty();
            eventually("the third server votes", () -> votes(on, 3));
            nodes.get(1).freeze();

            PackagedCommand.Result unknown = once(
                    on, "1h", "echo ran", "--max-lease", "1s", "--on-failure", "echo \"hook: $HOLDFAST_RESULT\" >&2");
            PackagedCommand.Result skipped =
                    once(on, "1h", "echo ran", "--max-lease", "1s", "--on-unreachable", "skip");
            PackagedCommand.Result again = once(on, "1h", "echo again", "--max-lease", "1s", "--on-unreachable", "run");

            assertThat(skipped).isEqualTo(SILENT);
            assertThat(again.code()).isZero();
            assertThat(again.out()).isEqualTo("again\n");
            assertThat(again.err())
                    .contains("warning: unknown whether '" + name + "' has run since", "the command runs, maybe again");
            assertThat(unknown.out()).isEmpty();
            assertThat(unknown.code()).isEqualTo(69);
            assertThat(unknown.err())
                    .contains("unknown whether '" + name + "' has run since ", "the command was not started");
            assertThat(unknown.err().lines()).hasSize(2).last().isEqualTo("hook: unreachable");
            nodes.get(1).thaw();
            assertThat(once(on, "1h", "echo ran", shortLease)).isEqualTo(SILENT);
        }
    }

    /** A busy server may miss the record of one run, and receives it from the next one. */
    private void awaitRecord(PackagedCommand on, RedisServer node, String... options) {
        eventually("the server has the record of the success", () -> {
            boolean hasIt = String.valueOf(node.exec("GET", "{" + name + "}:holdfast:record"))
                    .contains("runs-2\t1");
            if (!hasIt) {
                assertThat(once(on, "1h", "echo ran", options)).isEqualTo(SILENT);
            }
            return hasIt;
        });
    }

    private static boolean votes(PackagedCommand on, int count) {
        // The lock is only acquired once a majority votes, and the client observes the others meanwhile.
        String report = on.run("doctor", "--max-lease", "1s", "--json").out();
        return report.split("\"votes\":true", -1).length > count;
    }

    /** A restarted server gets the record from the next run, even if that is skipped. */
    @Test
    @Tag("evidence")
    void run_serversAreRestartedBetweenRuns_isSkipped() {
        try (RedisServers nodes = RedisServers.start(3)) {
            PackagedCommand on = PackagedCommand.on(directory, nodes);
            String[] shortLease = {"--max-lease", "1s"};
            nodes.forEach(node -> node.exec("DEL", "holdfast:marker"));
            assertThat(once(on, "1h", "echo ran", shortLease).out()).isEqualTo("ran\n");
            for (int node = 0; node < 3; node++) {
                nodes.get(node).restartEmpty();
                eventually("the server votes", () -> votes(on, 3));

                assertThat(once(on, "1h", "echo ran", shortLease)).isEqualTo(SILENT);
                awaitRecord(on, nodes.get(node), shortLease);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"69, --on-unreachable, fail", "3, --unreachable-exit-code, 3"})
    @Tag("evidence")
    void run_successCannotBeRecorded_exitsAsIfTheServersWereUnreachable(int code, String option, String value) {
        try (RedisServers nodes = RedisServers.start(3)) {
            PackagedCommand on = PackagedCommand.on(directory, nodes);
            String stop =
                    "kill -STOP " + nodes.get(0).pid() + " " + nodes.get(1).pid();

            PackagedCommand.Result unconfirmed = once(on, "1h", stop, option, value);

            nodes.get(0).thaw();
            nodes.get(1).thaw();
            assertThat(unconfirmed.code()).isEqualTo(code);
            assertThat(unconfirmed.err())
                    .contains("the command has succeeded, but too few servers have recorded it", name);
        }
    }

    @Test
    @Tag("evidence")
    void run_recordIsOfTheFarFuture_runsWithAWarning() {
        once("1h", "true");
        String key = "{" + name + "}:holdfast:record";
        servers.forEach(server -> {
            // The run has ended when two of three servers have its record.
            if (server.exec("GET", key) instanceof String record) {
                server.exec("SET", key, record.replaceFirst("runs-2\t\\d+\t", "runs-2\t4000000000000\t"));
            }
        });

        PackagedCommand.Result result = once("1h", "echo ran");

        assertThat(result.out()).isEqualTo("ran\n");
        assertThat(result.err()).contains("in the future", "set the clocks");
        assertThat(once("1h", "echo ran")).isEqualTo(SILENT);
    }

    /** Otherwise this version would overwrite what it does not understand. */
    @Test
    @Tag("evidence")
    void run_recordOfAnotherVersion_exits125() {
        once("1h", "true");
        String key = "{" + name + "}:holdfast:record";
        servers.forEach(server -> {
            // The run has ended when two of three servers have its record.
            if (server.exec("GET", key) instanceof String record) {
                server.exec("SET", key, record.replaceFirst("runs-2", "runs-3"));
            }
        });

        PackagedCommand.Result result = command()
                .run(
                        "run",
                        name,
                        "--once-per",
                        "1h",
                        "--on-failure",
                        "echo $HOLDFAST_EXIT_CODE > failed",
                        "--",
                        "echo");

        assertThat(result.code()).isEqualTo(125);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("install the same version", name);
        assertThat(directory.resolve("failed")).hasContent("125\n");
        assertThat(command().run("run", name, "--", "true")).isEqualTo(SILENT);
    }

    /** The caller may want exit code 0 for a command that ran for too long; that makes it no success. */
    @Test
    void run_timedOutWithExitCodeZero_runsAgain() {
        assertThat(once("1h", "sleep 1000", "--timeout", "100ms", "--timeout-exit-code", "0")
                        .code())
                .isZero();

        assertThat(once("1h", "echo ran").out()).isEqualTo("ran\n");
    }
}
