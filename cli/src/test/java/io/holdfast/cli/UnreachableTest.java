package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.RedisServers;
import io.holdfast.testkit.fault.FaultProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests what {@code holdfast run} does while too few servers can be used. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class UnreachableTest {

    /** No server listens at these ports, which only the system uses. */
    private static final String NOWHERE = "redis://127.0.0.1:1,redis://127.0.0.1:2,redis://127.0.0.1:3";

    private static final String LINE = "echo \"ran $HOLDFAST_RESOURCE [$HOLDFAST_FENCE] [$HOLDFAST_HELD]\"; exit 4";

    @TempDir
    private Path directory;

    private final String name = "unreachable-" + UUID.randomUUID();

    private PackagedCommand command() {
        return new PackagedCommand(directory).with(NodesOptions.VARIABLE, NOWHERE);
    }

    static List<String> shells() {
        return Shells.tried();
    }

    @ParameterizedTest
    @MethodSource("shells")
    @Tag("slow")
    void onUnreachable_run_runsTheCommandWithoutTheLockAndSaysSo(String shell) {
        PackagedCommand.Result result =
                command().by(shell.split(" ", -1)).run("run", name, "-n", "--on-unreachable", "run", "-c", LINE);

        assertThat(result.out()).isEqualTo("ran " + name + " [] []\n");
        assertThat(result.err()).hasLineCount(1).contains("'" + name + "'", "the command runs WITHOUT the lock");
        assertThat(result.code()).isEqualTo(4);
    }

    @Test
    void onUnreachable_runWithALimit_endsTheCommand() {
        PackagedCommand.Result result = command()
                .run("run", name, "-n", "-q", "--on-unreachable=run", "--timeout=200ms", "--", "sleep", "1000");

        assertThat(result).isEqualTo(new PackagedCommand.Result(124, "", ""));
    }

    @Test
    @Tag("evidence")
    void onUnreachable_runWithRetries_runsACommandThatFailsAgain() {
        PackagedCommand.Result result = command()
                .run(
                        "run",
                        name,
                        "-n",
                        "-q",
                        "--on-unreachable=run",
                        "--retries=1",
                        "--retry-delay=0",
                        "-c",
                        "echo a; exit 3");

        assertThat(result).isEqualTo(new PackagedCommand.Result(3, "a\na\n", ""));
    }

    @Test
    void onUnreachable_skip_exits0WithoutAMessage() {
        assertThat(command().run("run", name, "-n", "--on-unreachable", "skip", "-c", LINE))
                .isEqualTo(new PackagedCommand.Result(0, "", ""));
    }

    @Test
    @Tag("evidence")
    void onUnreachable_exitCodeGiven_exitsWithIt() {
        assertThat(command().run("run", name, "-n", "-q", "--unreachable-exit-code", "5", "-c", LINE))
                .isEqualTo(new PackagedCommand.Result(5, "", ""));
        assertThat(command()
                        .run("run", name, "-n", "--on-unreachable=skip", "--unreachable-exit-code=6", "-c", LINE)
                        .code())
                .isEqualTo(6);
    }

    /** A job must not be skipped forever because of a wrong password. */
    @Test
    @Tag("evidence")
    void onUnreachable_wrongPassword_exits69WhateverTheOption() {
        try (RedisServers locked = RedisServers.start(1, RedisServerOptions.DEFAULT.withPassword("right"))) {
            String wrong = locked.addresses().get(0).replace("right", "wrong");
            for (String reaction : List.of("skip", "run")) {
                PackagedCommand.Result result = command()
                        .with(NodesOptions.VARIABLE, wrong)
                        .run("run", name, "-n", "--on-unreachable", reaction, "-c", LINE);

                assertThat(result.code()).isEqualTo(69);
                assertThat(result.out()).isEmpty();
                assertThat(result.err()).contains("the user or the password is wrong");
            }
        }
    }

    /** A random time before the first attempt is no part of the attempts. */
    @Test
    @Tag("evidence")
    void jitter_noServer_isNotReportedAsTimeOfTheAttempts() {
        PackagedCommand.Result result = command().run("run", name, "-n", "--jitter", "4s", "--", "true");

        assertThat(result.err()).doesNotContain("tried for -").containsPattern("tried for ([2-9]|\\d\\d+)\\.\\d s");
    }

    /** The time for the connections is a part of the time that the message names. */
    @Test
    @Tag("evidence")
    void noWait_twoOfThreeFrozen_reportsTheTimeThatPassed() {
        try (RedisServers servers = RedisServers.start(3)) {
            servers.get(0).freeze();
            servers.get(1).freeze();
            long start = System.nanoTime();

            PackagedCommand.Result result =
                    PackagedCommand.on(directory, servers).run("run", name, "-n", "--", "true");
            double passed = (System.nanoTime() - start) / 1e9;

            Matcher reported = Pattern.compile("tried for (\\S+) s").matcher(result.err());
            assertThat(reported.find()).as(result.err()).isTrue();
            // The connections take 2 s, and the wait as long again.
            assertThat(Double.parseDouble(reported.group(1))).isGreaterThan(3.5).isLessThanOrEqualTo(passed + 0.1);
            assertThat(result.code()).isEqualTo(69);
            List.of(servers.get(0), servers.get(1)).forEach(RedisServer::thaw);
        }
    }

    /** Cron starts its jobs in the same second, and a busy machine reads all answers late. */
    @Test
    @Tag("evidence")
    void noWait_connectedServersAreSlow_triesAsLongAsWithoutTheOption() {
        try (RedisServers servers = RedisServers.start(3)) {
            List<FaultProxy> slow = servers.uris().stream().map(FaultProxy::to).toList();
            slow.forEach(proxy -> proxy.delay(Duration.ofMillis(600)));
            String nodes = slow.stream().map(proxy -> proxy.uri().toString()).collect(Collectors.joining(","));

            PackagedCommand.Result result =
                    command().with(NodesOptions.VARIABLE, nodes).run("run", name, "-n", "--", "true");

            assertThat(result.err()).contains("no answer within").containsPattern("tried for \\d\\d+\\.\\d s");
            assertThat(result.code()).isEqualTo(69);
            slow.forEach(FaultProxy::close);
        }
    }

    @Test
    @Tag("evidence")
    void onUnreachable_severalNames_areInOneOrderAndInOneLine() {
        PackagedCommand.Result result = new PackagedCommand(directory)
                .with("HOLDFAST_NODES", "redis://127.0.0.1:1")
                .run(
                        "run",
                        "-n",
                        "--on-unreachable",
                        "run",
                        "--timeout",
                        "300ms",
                        "b",
                        "a",
                        "--on-failure",
                        "echo $HOLDFAST_RESOURCE >&2",
                        "-c",
                        "echo $HOLDFAST_RESOURCE; sleep 1000");

        assertThat(result.out()).isEqualTo("a b\n");
        assertThat(result.err()).contains("the command of 'a', 'b' has run for 300ms", "a b\n");
    }
}
