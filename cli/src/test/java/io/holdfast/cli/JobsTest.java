package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests {@code holdfast jobs} as a process on real servers of its own, since it shows all jobs. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class JobsTest {

    private static final String TIME = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d";

    @AutoClose
    private final RedisServers servers = RedisServers.start(3);

    @TempDir
    private Path directory;

    private PackagedCommand command;

    @BeforeEach
    void useServers() {
        command = PackagedCommand.on(directory, servers);
    }

    @Test
    void jobs_noneAndThenSome_printsEachWithItsState() {
        assertThat(command.run("jobs")).isEqualTo(new PackagedCommand.Result(0, "", "holdfast: no job is known\n"));
        command.run("run", "backup", "--once-per", "@daily", "--", "true");
        command.run("run", "cleanup", "--", "true");

        PackagedCommand.Result jobs = command.run("jobs");

        assertThat(jobs.code()).isZero();
        assertThat(jobs.out())
                .matches("'backup'  ok; next due " + TIME + "\n  last run  " + TIME + "  exit 0 after .*\\(true\\)\n"
                        + "'cleanup'  ok\n  last run  .*\n");
    }

    /** The record of such a task does not say whether it failed. */
    @Test
    void jobs_taskThatHasEnded_isNotCalledOk() {
        command.run("run", "task", "--", "true");
        servers.forEach(server -> {
            // The run has ended when two of three servers have its record.
            if (!(server.exec("GET", "{task}:holdfast:record") instanceof String record)) {
                return;
            }
            server.exec("SET", "{task}:holdfast:record", record.replace("\tsucceeded\t0\t", "\tended\t\t"));
        });

        PackagedCommand.Result jobs = command.run("jobs");

        assertThat(jobs.code()).isZero();
        assertThat(jobs.out()).startsWith("'task'  ended\n");
    }

    @Test
    void jobs_lastRunFailed_exits1() {
        command.run("run", "backup", "--once-per", "@hourly", "--", "true");
        command.run("run", "backup", "--", "false");

        PackagedCommand.Result jobs = command.run("jobs");

        assertThat(jobs.code()).isEqualTo(1);
        assertThat(jobs.out()).matches("'backup'  FAILED; next due .*\n  last run .*\n  last success  " + TIME + "\n");
    }

    @Test
    void jobs_overdueAndThenForgotten_exits1AndThen0() {
        command.run("run", "backup", "--expect-every", "1d", "--", "true");
        String key = "{backup}:holdfast:record";
        servers.forEach(server -> {
            if (!(server.exec("GET", key) instanceof String record)) {
                return;
            }
            // The start of the run is two days ago.
            String[] fields = record.split("\t", -1);
            String start = fields[5];
            String earlier = Long.toString(Long.parseLong(start) - 172_800_000);
            server.exec("SET", key, record.replace("\t" + start + "\t", "\t" + earlier + "\t"));
        });

        PackagedCommand.Result jobs = command.run("jobs");

        assertThat(jobs.out()).startsWith("'backup'  OVERDUE, ok; was due ");
        assertThat(jobs.code()).isEqualTo(1);
        assertThat(command.run("jobs", "--json").out())
                .contains("{\"resource\":\"backup\",\"overdue\":true,\"failed\":false,\"running\":false,")
                .contains("\"expectEveryMillis\":86400000,", "\"complete\":true,\"lastRun\":{\"fence\":")
                .hasLineCount(1);
        command.run("mark", "backup", "--forget");
        assertThat(command.run("jobs").code()).isZero();
    }

    @Test
    void jobs_commandRuns_isRunning() {
        PackagedCommand.Running job = command.start("run", "backup", "-c", "until [ -e end ]; do sleep 0.02; done");

        eventually("the job runs", () -> command.run("jobs").out().startsWith("'backup'  running\n"));

        assertThat(PackagedCommand.shell("touch '" + directory.resolve("end") + "'"))
                .isTrue();
        assertThat(job.end().code()).isZero();
    }

    /** The metrics have the names of the meters, so one set of rules is enough. */
    @Test
    void metrics_eachState_areInTheFile() throws IOException {
        command.run("run", "backup", "--once-per", "@hourly", "--", "true");
        command.run("run", "a \"b\\", "--", "false");

        assertThat(command.run("jobs", "--metrics-file", "jobs.prom").code()).isEqualTo(1);

        Path file = directory.resolve("jobs.prom");
        assertThat(file)
                .content()
                .contains("# TYPE holdfast_jobs gauge\nholdfast_jobs 2\n", "\nholdfast_jobs_timestamp_seconds ")
                .contains("\nholdfast_job_overdue{lock=\"backup\"} 0\n", "\nholdfast_job_running{lock=\"backup\"} 0\n")
                .contains(
                        "\nholdfast_job_failed{lock=\"a \\\"b\\\\\"} 1\n", "\nholdfast_job_failed{lock=\"backup\"} 0\n")
                .contains("\nholdfast_job_last_success_timestamp_seconds{lock=\"backup\"} 1")
                .contains("\nholdfast_job_next_due_timestamp_seconds{lock=\"backup\"} 1")
                .containsPattern("\nholdfast_job_last_duration_seconds\\{lock=\"backup\"} \\d+\\.\\d");
        String rules = Files.readString(Path.of("src/dist/examples/holdfast-alerts.yml"));
        assertThat(Pattern.compile("holdfast_job(s|_)\\w+")
                        .matcher(rules)
                        .results()
                        .map(MatchResult::group)
                        .toList())
                .hasSize(3)
                .allSatisfy(metric -> assertThat(file).content().containsPattern("\n" + metric + "[{ ]"));
    }

    @Test
    void metrics_tooFewServersOrAnotherFile_areNotWritten() throws IOException {
        command.run("run", "backup", "--metrics-file", "run.prom", "--", "true");
        Path file = directory.resolve("run.prom");
        String before = Files.readString(file);

        PackagedCommand.Result other = command.run("jobs", "--metrics-file", "run.prom");
        servers.get(0).kill();
        servers.get(1).kill();

        assertThat(other.code()).isEqualTo(64);
        assertThat(other.err()).contains("something other than the metrics of this command");
        assertThat(command.run("jobs", "--metrics-file", "jobs.prom").code()).isEqualTo(69);
        assertThat(directory.resolve("jobs.prom")).doesNotExist();
        assertThat(file).hasContent(before);
    }

    @Test
    void jobs_tooFewServers_exits69() {
        servers.get(0).kill();
        servers.get(1).kill();

        PackagedCommand.Result jobs = command.run("jobs");

        assertThat(jobs.code()).isEqualTo(69);
        assertThat(jobs.err()).contains("cannot list the jobs");
    }

    @Test
    void run_wrongExpectation_exits64() {
        assertThat(command.run("run", "backup", "--expect-every", "400d", "--", "true")
                        .code())
                .isEqualTo(64);
    }
}
