package io.holdfast.cli.command;

import io.holdfast.admin.LockAdmin;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.JobText;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.report.JobMetricsFile;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.jobs.JobStatus;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The command {@code jobs}: prints the state of every job, and which ones are overdue or failed. */
public final class JobsCommand extends AdminCommand {

    private static final CommandOption JSON = CommandOption.of(
            "--json",
            "Print one object per job and line: resource, overdue, failed, running, lastSuccess, nextDue,"
                    + " expectEveryMillis, durationMillis (of the last success), complete (false: newer runs may be"
                    + " missing), lastRun with the fields of `log --json`.");

    private static final int ATTENTION = 1;

    public JobsCommand(Terminal terminal, PrintStream out) {
        super(terminal, out);
    }

    @Override
    public CommandSpec spec() {
        return CommandSpec.of("jobs", "Prints every job: its last run, its last success, and whether it is overdue.")
                .with(JSON, JobMetricsFile.OPTION)
                .with(NodesOptions.OPTIONS)
                .withFooter("""
                        A job is a lock with recorded runs, of `holdfast run` or of Java. It is due
                        when the time of --once-per @daily and the like, or of --expect-every, has
                        passed since the start of its last success, and overdue a tenth of that time
                        later, at least a minute.

                        Exit code: 0; 1 a job is overdue, or its last run failed; 69 too few servers
                        answer, so jobs or newer runs may be missing.
                        """);
    }

    @Override
    int execute(LockAdmin admin, Arguments arguments) {
        Optional<JobMetricsFile> metrics = JobMetricsFile.of(arguments, terminal());
        Instant now = Instant.now();
        List<JobStatus> jobs =
                Failure.instead(ExitCode.NO_QUORUM, "cannot list the jobs: ", () -> JobStatus.all(admin));
        for (JobStatus job : jobs) {
            if (arguments.has(JSON)) {
                out().println(JobText.json(job, now));
            } else {
                out().print(JobText.detail(job, now));
            }
        }
        if (jobs.isEmpty() && !arguments.has(JSON)) {
            terminal().print("no job is known");
        }
        if (!jobs.stream().allMatch(JobStatus::isComplete)) {
            throw new Failure(
                    ExitCode.NO_QUORUM,
                    "newer runs may be missing: too few servers answer; `holdfast doctor` shows why");
        }
        metrics.ifPresent(file -> file.write(jobs, now));
        return jobs.stream().anyMatch(job -> job.isOverdue(now) || job.isFailed()) ? ATTENTION : ExitCode.OK;
    }
}
