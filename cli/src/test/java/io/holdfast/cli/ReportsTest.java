package io.holdfast.cli;

import static io.holdfast.cli.PackagedCommand.words;
import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.holdfast.cli.option.NodesOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what {@code holdfast run} reports to hooks, to a file of metrics and to the system log. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class ReportsTest extends CommandOnServers {

    private static final String METRIC = "holdfast_run_last_";

    private static HttpServer http;

    /** The requests to the monitor, such as {@code GET /id/start}. */
    private static final List<String> REQUESTS = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void startMonitor() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", exchange -> {
            String path = exchange.getRequestURI().getPath();
            REQUESTS.add(exchange.getRequestMethod() + " " + path);
            exchange.getResponseHeaders().add("Location", "https://127.0.0.1/elsewhere");
            int code =
                    path.endsWith("broken") ? 503 : path.endsWith("unknown") ? 404 : path.endsWith("moved") ? 301 : 200;
            exchange.sendResponseHeaders(code, -1);
            exchange.close();
        });
        http.start();
    }

    @AfterAll
    static void stopMonitor() {
        http.stop(0);
    }

    private String monitor(String path) {
        return "http://127.0.0.1:" + http.getAddress().getPort() + "/" + name + path;
    }

    /** Returns the last parts of the paths that were requested for this lock. */
    private List<String> requests() {
        String prefix = "GET /" + name + "/";
        return REQUESTS.stream()
                .filter(request -> request.startsWith(prefix))
                .map(request -> request.substring(prefix.length()))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"true, success", "false, failure"})
    void hooks_addresses_areFetchedAtTheBeginAndTheEnd(String program, String last) {
        PackagedCommand.Result result = command()
                .run(
                        "run",
                        name,
                        "--on-start",
                        monitor("/start"),
                        "--on-success",
                        monitor("/success"),
                        "--on-failure",
                        monitor("/failure"),
                        "--",
                        program);

        assertThat(result).isEqualTo(new PackagedCommand.Result(program.equals("true") ? 0 : 1, "", ""));
        assertThat(requests()).containsExactly("start", last);
    }

    @Test
    @Tag("evidence")
    void hook_unknownAddress_warnsAndChangesNoExitCode() {
        PackagedCommand.Result result = command().run("run", name, "--on-failure", monitor("/unknown"), "-c", "exit 3");

        assertThat(result.code()).isEqualTo(3);
        assertThat(result.err())
                .isEqualTo(
                        "holdfast: warning: the hook --on-failure of '" + name + "' failed: 127.0.0.1 replied 404\n");
        assertThat(requests()).containsExactly("unknown");
    }

    /** Java does not follow a redirection from http to https. */
    @Test
    @Tag("evidence")
    void hook_redirectionToHttps_isAFailure() {
        PackagedCommand.Result result = command().run("run", name, "--on-success", monitor("/moved"), "--", "true");

        assertThat(result.code()).isZero();
        assertThat(result.err())
                .contains("failed: 127.0.0.1 replied 301; write the address that it redirects to")
                .doesNotContain("elsewhere");
        assertThat(requests()).containsExactly("moved");
    }

    @Test
    void hook_brokenMonitor_isTriedTwice() {
        PackagedCommand.Result result = command().run("run", name, "--on-success", monitor("/broken"), "--", "true");

        assertThat(result.code()).isZero();
        assertThat(result.err()).contains("replied 503").doesNotContain(name + "/broken");
        assertThat(requests()).containsExactly("broken", "broken");
    }

    @Test
    void hook_command_getsTheResultAndRunsAfterTheRelease() {
        String hook = "echo $HOLDFAST_RESOURCE $HOLDFAST_RESULT $HOLDFAST_EXIT_CODE; '" + PackagedCommand.LAUNCHER
                + "' status $HOLDFAST_RESOURCE; exit 3";
        PackagedCommand.Result result = command().run("run", name, "--on-failure", hook, "-c", "exit 7");

        assertThat(result.out()).as("stdout belongs to the command").isEmpty();
        assertThat(result.err())
                .contains(name + " failure 7\n", "'" + name + "' is free", "--on-failure", "failed: it ended with 3");
        assertThat(result.code()).isEqualTo(7);
    }

    @Test
    void hook_start_runsBesideTheCommandWhileTheLockIsHeld() {
        String hook = "echo \"$HOLDFAST_RESULT $HOLDFAST_FENCE\" >started; until [ -e ended ]; do sleep 0.02; done";
        String line = "until [ -e started ]; do sleep 0.02; done; cat started; echo \"running $HOLDFAST_FENCE\" >ended";
        PackagedCommand.Result result = command().run("run", name, "--on-start", hook, "-c", line + "; cat ended");

        assertThat(result.out().lines().distinct()).hasSize(1).allMatch(words -> words.matches("running \\d+"));
        assertThat(result.code()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"--timeout=100ms, sleep 1000, timeout 124", "--hold-limit=5s, sleep 1000, lost 76"})
    @Tag("evidence")
    void hook_commandThatHoldfastEnds_getsTheReason(String option, String line, String words) {
        PackagedCommand.Result result = command()
                .run(
                        "run",
                        name,
                        option,
                        "--on-failure",
                        "echo $HOLDFAST_RESULT $HOLDFAST_EXIT_CODE >result",
                        "-c",
                        line);

        assertThat(directory.resolve("result")).hasContent(words);
        assertThat(words).endsWith(" " + result.code());
    }

    @Test
    @Tag("evidence")
    void hook_tooFewServers_isCalledForAFailureButNotForASkippedRun() {
        PackagedCommand nowhere = command().with(NodesOptions.VARIABLE, "redis://127.0.0.1:1");
        String[] run = {"run", name, "-n", "--on-failure", "echo $HOLDFAST_RESULT $HOLDFAST_EXIT_CODE >>result"};

        nowhere.run(words(run, "--on-unreachable=skip", "--", "true"));
        assertThat(directory.resolve("result")).doesNotExist();
        nowhere.run(words(run, "--", "true"));
        assertThat(directory.resolve("result")).hasContent("unreachable 69");
    }

    /** A monitor must learn of a job whose program is missing. */
    @ParameterizedTest
    @CsvSource({"no-such-program, 127", "./no-such-file, 127", "/etc/passwd, 126", "/tmp, 126"})
    @Tag("evidence")
    void hook_programThatCannotBeRun_isCalledWithTheExitCode(String program, int code) throws IOException {
        String hook = "echo $HOLDFAST_RESULT $HOLDFAST_EXIT_CODE [$HOLDFAST_FENCE] >result";
        PackagedCommand.Result result = command()
                .run("run", name, "--on-failure", hook, "--metrics-file", "job.prom", "--retries=2", "--", program);

        assertThat(result.code()).isEqualTo(code);
        assertThat(result.err()).startsWith("holdfast: '" + program + "' ").hasLineCount(1);
        assertThat(directory.resolve("result")).hasContent("failure " + code + " []");
        assertThat(metrics("{lock=\"" + name + "\"} ")).containsEntry("exit_code", (double) code);
    }

    /** Without that, a stop of the job would have to wait for the hook. */
    @Test
    @Tag("evidence")
    void hook_signalAfterAProgramThatCannotBeRun_isEnded() {
        PackagedCommand.Running run =
                command().start("run", name, "--on-failure", "touch called; exec sleep 1000", "--", "no-such-program");
        eventually("the hook runs", () -> Files.exists(directory.resolve("called")));
        run.signal("TERM");

        PackagedCommand.Result result = run.end();
        assertThat(result.code()).isEqualTo(127);
        assertThat(result.err()).contains("the hook --on-failure of '" + name + "' failed: it was interrupted");
    }

    /** Otherwise the hook would outlive the run. */
    @Test
    @Tag("evidence")
    void hook_ignoresTerm_isKilledAfterASignal() throws IOException {
        PackagedCommand.Running running = command()
                .start(
                        "run",
                        name,
                        "--on-failure",
                        "trap '' TERM; echo $$ >part; mv part hook; while :; do sleep 0.1; done",
                        "--",
                        "false");
        eventually("the hook runs", () -> Files.exists(directory.resolve("hook")));
        String hook = Files.readString(directory.resolve("hook")).strip();

        running.signal("TERM");

        assertThat(running.end().err()).contains("it was interrupted by a signal");
        assertThat(PackagedCommand.hasEnded(hook)).isTrue();
    }

    @Test
    void hook_cleanEnv_getsNoSecrets() {
        command().run("run", name, "--clean-env", "--on-success", "env >result", "--", "true");

        assertThat(directory.resolve("result"))
                .content()
                .contains("HOLDFAST_RESULT=success")
                .doesNotContain("redis://");
    }

    @Test
    void hook_emptyCommand_exits64() {
        PackagedCommand.Result result = command().run("run", name, "--on-success", " ", "--", "true");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).contains("--on-success: ", "neither an address nor a command");
    }

    @Test
    void metrics_successThenFailure_keepsTheTimeOfTheSuccess() throws IOException {
        String lock = name + " \"\\";
        assertThat(command().run("run", lock, "--metrics-file", "job.prom", "--", "true"))
                .isEqualTo(new PackagedCommand.Result(0, "", ""));
        Map<String, Double> first = metrics("{lock=\"" + name + " \\\"\\\\\"} ");
        assertThat(command()
                        .run("run", lock, "--metrics-file", "job.prom", "-c", "exit 3")
                        .code())
                .isEqualTo(3);
        Map<String, Double> second = metrics("{lock=\"" + name + " \\\"\\\\\"} ");

        assertThat(first)
                .containsOnlyKeys(
                        "start_timestamp_seconds",
                        "end_timestamp_seconds",
                        "duration_seconds",
                        "wait_seconds",
                        "exit_code",
                        "lost",
                        "success_timestamp_seconds",
                        "attempt_timestamp_seconds",
                        "attempt_exit_code")
                .containsEntry("exit_code", 0.0)
                .containsEntry("attempt_exit_code", 0.0)
                .containsEntry("lost", 0.0)
                .containsEntry("success_timestamp_seconds", first.get("end_timestamp_seconds"));
        assertThat(second)
                .containsEntry("exit_code", 3.0)
                .containsEntry("attempt_exit_code", 3.0)
                .containsEntry("success_timestamp_seconds", first.get("success_timestamp_seconds"));
        assertThat(second.get("start_timestamp_seconds")).isGreaterThanOrEqualTo(first.get("end_timestamp_seconds"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("job.prom"))))
                .isEqualTo("rw-r--r--");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(file -> file.contains("job.prom") || file.contains(".holdfast")))
                    .as("no temporary file is left")
                    .hasSize(1);
        }
    }

    private Map<String, Double> metrics(String label) throws IOException {
        return Files.readAllLines(directory.resolve("job.prom")).stream()
                .filter(line -> !line.startsWith("#"))
                .collect(Collectors.toMap(
                        line -> line.substring(METRIC.length(), line.indexOf('{')),
                        line -> Double.parseDouble(line.substring(line.indexOf(label) + label.length()))));
    }

    @Test
    @Tag("evidence")
    void metrics_lostLock_areMarked() throws IOException {
        command().run("run", name, "--hold-limit", "5s", "--metrics-file", "job.prom", "--", "sleep", "1000");

        assertThat(metrics("{lock=\"" + name + "\"} "))
                .containsEntry("lost", 1.0)
                .containsEntry("exit_code", 76.0)
                .doesNotContainKey("success_timestamp_seconds");
    }

    @Test
    void metrics_lockIsHeldByAnother_containTheAttempt() throws IOException {
        PackagedCommand.Running holder = command().start("run", name, "-c", "echo >held; exec sleep 1000");
        eventually("the lock is held", () -> Files.exists(directory.resolve("held")));

        assertThat(command()
                        .run("run", name, "-n", "--metrics-file", "job.prom", "--", "true")
                        .code())
                .isEqualTo(75);

        assertThat(attempts()).containsOnlyKeys("attempt_timestamp_seconds", "attempt_exit_code");
        assertThat(attempts()).containsEntry("attempt_exit_code", 75.0);
        holder.process().destroy();
        holder.end();
    }

    private Map<String, Double> attempts() throws IOException {
        return metrics("{lock=\"" + name + "\"} ");
    }

    /** Otherwise a job whose servers are down for ever would look like one that has just succeeded. */
    @ParameterizedTest
    @CsvSource({"fail, 69", "skip, 0"})
    @Tag("evidence")
    void metrics_serversDownAfterASuccess_containTheAttemptAndTheRun(String reaction, int code) throws IOException {
        String[] run = {"run", name, "-n", "--metrics-file", "job.prom", "--on-unreachable", reaction, "--", "true"};
        command().run(run);
        Map<String, Double> success = attempts();
        PackagedCommand nowhere = command().with(NodesOptions.VARIABLE, "redis://127.0.0.1:1");

        assertThat(nowhere.run(run).code()).isEqualTo(code);

        assertThat(attempts()).containsEntry("attempt_exit_code", (double) code);
        assertThat(attempts().get("attempt_timestamp_seconds")).isGreaterThan(success.get("attempt_timestamp_seconds"));
        assertThat(attempts()).containsAllEntriesOf(withoutAttempt(success));
    }

    private static Map<String, Double> withoutAttempt(Map<String, Double> metrics) {
        return metrics.entrySet().stream()
                .filter(metric -> !metric.getKey().startsWith("attempt"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The machines that lose the race for the lock know the success of the one that won it. */
    @Test
    @Tag("evidence")
    void metrics_skippedByOncePer_containTheSuccessOfTheOtherMachine() throws IOException {
        String[] run = {"run", name, "--once-per", "1h", "--metrics-file", "job.prom", "--", "true"};
        command().run("run", name, "--once-per", "1h", "--", "true");

        assertThat(command().run(run).code()).isZero();
        Map<String, Double> skipped = attempts();
        assertThat(command().run(run).code()).isZero();

        assertThat(skipped)
                .containsOnlyKeys("success_timestamp_seconds", "attempt_timestamp_seconds", "attempt_exit_code");
        assertThat(skipped.get("success_timestamp_seconds")).isLessThan(skipped.get("attempt_timestamp_seconds"));
        assertThat(attempts()).containsEntry("success_timestamp_seconds", skipped.get("success_timestamp_seconds"));
    }

    /** The rules name metrics that the file contains after a success. */
    @Test
    void metrics_alertRules_nameMetricsOfTheFile() throws IOException {
        command().run("run", name, "--metrics-file", "job.prom", "--", "true");

        String rules = Files.readString(Path.of("src/dist/examples/holdfast-alerts.yml"));
        assertThat(Pattern.compile("holdfast_run_\\w+")
                        .matcher(rules)
                        .results()
                        .map(MatchResult::group)
                        .toList())
                .isNotEmpty()
                .allSatisfy(metric ->
                        assertThat(directory.resolve("job.prom")).content().contains("\n" + metric + "{"));
    }

    @Test
    @Tag("evidence")
    void metrics_fileOfAnotherLock_exits64BeforeTheCommandRuns() {
        command().run("run", name, "--metrics-file", "job.prom", "--", "true");

        PackagedCommand.Result other =
                command().run("run", name + "2", "--metrics-file", "job.prom", "--", "echo", "ran");

        assertThat(other.code()).isEqualTo(64);
        assertThat(other.out()).isEmpty();
        assertThat(other.err()).contains("belongs to another lock; give each lock a file of its own");
    }

    @Test
    void metrics_pipe_exits64WithoutReadingIt() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", directory.resolve("pipe.prom").toString())
                        .start()
                        .waitFor())
                .isZero();

        PackagedCommand.Result result = command().run("run", name, "--metrics-file", "pipe.prom", "--", "true");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).contains("pipe.prom is no regular file");
    }

    @Test
    @Tag("evidence")
    void metrics_nameThatTheCollectorIgnores_exits64() {
        PackagedCommand.Result result = command().run("run", name, "--metrics-file", "job.txt", "--", "true");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).contains("does not end in .prom");
    }

    @ParameterizedTest
    @ValueSource(strings = {"# HELP up Other\nup 1\n", "a note\n"})
    void metrics_fileOfAnotherProgram_exits64AndStays(String contents) throws IOException {
        Path file = Files.writeString(directory.resolve("job.prom"), contents);

        PackagedCommand.Result result = command().run("run", name, "--metrics-file", "job.prom", "--", "true");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).contains("--metrics-file job.prom contains something other than the metrics");
        assertThat(file).hasContent(contents);
    }

    @Test
    void metrics_severalLocks_areAllInTheLabel() throws IOException {
        command().run("run", name, name + "-2", "--metrics-file", "job.prom", "--", "true");

        assertThat(metrics("{lock=\"" + name + ", " + name + "-2\"} ")).containsEntry("exit_code", 0.0);
    }

    @Test
    @Tag("evidence")
    void metrics_symbolicLink_isFollowedAndStays() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("job.prom"), Path.of("target.prom"));

        command().run("run", name, "--metrics-file", "job.prom", "--", "true");

        assertThat(link).isSymbolicLink();
        assertThat(directory.resolve("target.prom")).isRegularFile();
    }

    /** The variable names the same lock in the command and in its hooks. */
    @Test
    void hook_slot_getsTheNameOfTheSlot() {
        command()
                .run(
                        "run",
                        name,
                        "--slots",
                        "2",
                        "--on-success",
                        "echo $HOLDFAST_RESOURCE >>result",
                        "-c",
                        "echo $HOLDFAST_RESOURCE >result");

        assertThat(directory.resolve("result")).content().matches("(" + name + "/[12]\n)\\1");
    }

    @Test
    @Tag("evidence")
    void metrics_missingDirectory_warnsAndChangesNoExitCode() {
        PackagedCommand.Result result =
                command().run("run", name, "--metrics-file", "nowhere/job.prom", "-c", "exit 3");

        assertThat(result.code()).isEqualTo(3);
        assertThat(result.err()).contains("nowhere/job.prom cannot be written: its directory does not exist");
    }

    @Test
    void syslog_quietRun_sendsTheMessagesToTheLogOnly() throws IOException {
        PackagedCommand.Result result = withLogger("printf '%s|' \"$@\" >>log; echo >>log")
                .run("run", name, "--syslog", "-q", "--on-failure=exit 3", "-c", "exit 4");

        assertThat(result).isEqualTo(new PackagedCommand.Result(4, "", ""));
        String log = Files.readString(directory.resolve("log"));
        assertThat(log.lines()).hasSize(3).allMatch(line -> line.matches("-t\\|holdfast\\[\\d+]\\|-p\\|user\\..*"));
        assertThat(log)
                .containsSubsequence(
                        "user.info|--|'" + name + "' started after ",
                        "user.warning|--|warning: the hook --on-failure of '" + name + "' failed",
                        "user.err|--|'" + name + "' ended after ",
                        "failure, exit code 4|");
    }

    /** Otherwise the log does not say that the job was started, and why it did not run. */
    @Test
    void syslog_lockIsHeldOrJobIsDone_containsTheReason() throws IOException {
        PackagedCommand.Running holder = command().start("run", name, "-c", "echo >held; exec sleep 1000");
        eventually("the lock is held", () -> Files.exists(directory.resolve("held")));
        PackagedCommand logging = withLogger("echo \"$4 $6\" >>log");

        assertThat(logging.run("run", name, "--syslog", "-n", "--", "true"))
                .isEqualTo(new PackagedCommand.Result(75, "", ""));
        holder.process().destroy();
        holder.end();
        logging.run("run", name, "--once-per", "1h", "--", "true");
        assertThat(logging.run("run", name, "--syslog", "--once-per", "1h", "--", "true"))
                .isEqualTo(new PackagedCommand.Result(0, "", ""));

        assertThat(directory.resolve("log"))
                .hasContent("user.info '" + name + "' did not run: held, exit code 75\nuser.info '" + name
                        + "' did not run: skipped, exit code 0\n");
    }

    /** A hook whose program fails is only a warning, which this option hides. */
    @Test
    @Tag("evidence")
    void syslog_quietRunOfAMissingProgram_containsTheReason() throws IOException {
        PackagedCommand.Result result = withLogger("echo \"$6\" >>log")
                .run("run", name, "--syslog", "-q", "--on-failure", "exit 3", "--", "no-such-program");

        String reason = "'no-such-program' was not found on the PATH";
        assertThat(result.code()).isEqualTo(127);
        assertThat(result.err()).startsWith("holdfast: " + reason).hasLineCount(1);
        assertThat(Files.readString(directory.resolve("log")))
                .containsSubsequence(
                        reason,
                        "warning: the hook --on-failure of '" + name + "' failed: it ended with 3\n",
                        "'" + name + "' did not run: failure, exit code 127\n");
    }

    @Test
    @Tag("evidence")
    void syslog_brokenLogger_warnsOnceAndRunsTheCommand() throws IOException {
        PackagedCommand.Result result = withLogger("exit 1").run("run", name, "--syslog", "-q", "-c", "exit 3");

        assertThat(result.code()).isEqualTo(3);
        assertThat(result.err())
                .isEqualTo("holdfast: warning: --syslog has no effect: the program `logger` ended with 1\n");
    }

    /** Returns a command that finds this program `logger` before the real one. */
    private PackagedCommand withLogger(String script) throws IOException {
        Path logger = Files.createDirectory(directory.resolve("bin")).resolve("logger");
        Files.writeString(logger, "#!/bin/sh\n" + script + "\n");
        assertThat(PackagedCommand.shell("chmod +x '" + logger + "'")).isTrue();
        return command().with("PATH", logger.getParent() + ":" + System.getenv("PATH"));
    }
}
