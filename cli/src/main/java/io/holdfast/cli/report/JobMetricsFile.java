package io.holdfast.cli.report;

import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;
import io.holdfast.jobs.JobStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** A file of metrics with the state of all jobs. Its names are those of the meters of {@code holdfast-micrometer}. */
public final class JobMetricsFile {

    /** The option that names the file. */
    public static final CommandOption OPTION = CommandOption.of(
            "--metrics-file",
            "FILE",
            "Write the states to this file, whose name ends in .prom, for node_exporter. It stays as it is if jobs may"
                    + " be missing.");

    private static final String PREFIX = "holdfast_job";

    private final PrometheusFile file;

    private JobMetricsFile(PrometheusFile file) {
        this.file = file;
    }

    /**
     * Returns the file that the option names; empty if there is none.
     *
     * @throws Failure if node_exporter would not read the file, if it cannot be read or replaced, or if it contains
     *     something else
     */
    public static Optional<JobMetricsFile> of(Arguments arguments, Terminal terminal) {
        return arguments
                .value(OPTION, Path::of)
                .map(path -> new JobMetricsFile(PrometheusFile.of(path, PREFIX, terminal)));
    }

    /** Replaces the contents; prints a warning if that is not possible. */
    public void write(List<JobStatus> jobs, Instant now) {
        file.write(one("s", "Jobs that the servers list.", Integer.toString(jobs.size()))
                + one("s_timestamp_seconds", "The time of this file.", time(now))
                + each(jobs, "overdue", "1 if the job is overdue.", job -> flag(job.isOverdue(now)))
                + each(
                        jobs,
                        "failed",
                        "1 if the last run of the job failed, lost its lock, or did not report its end.",
                        job -> flag(job.isFailed()))
                + each(
                        jobs,
                        "running",
                        "1 if a run of the job goes on.",
                        job -> flag(job.running().isPresent()))
                + each(
                        jobs,
                        "last_success_timestamp_seconds",
                        "Start of the last success of the job.",
                        job -> job.history().lastSuccess(now).map(JobMetricsFile::time))
                + each(
                        jobs,
                        "next_due_timestamp_seconds",
                        "When the job is due.",
                        job -> job.nextDue(now).map(JobMetricsFile::time))
                + each(
                        jobs,
                        "last_duration_seconds",
                        "How long the last success of the job took.",
                        job -> job.duration().map(Duration::toMillis).map(PrometheusFile::seconds)));
    }

    private static String one(String name, String help, String value) {
        return PrometheusFile.gauge(PREFIX + name, help, Map.of("", value));
    }

    private static String each(
            List<JobStatus> jobs, String name, String help, Function<JobStatus, Optional<String>> value) {
        Map<String, String> values = new TreeMap<>();
        jobs.forEach(job -> value.apply(job).ifPresent(some -> values.put(PrometheusFile.label(job.name()), some)));
        return PrometheusFile.gauge(PREFIX + "_" + name, help, values);
    }

    private static Optional<String> flag(boolean isSet) {
        return Optional.of(isSet ? "1" : "0");
    }

    private static String time(Instant moment) {
        return PrometheusFile.seconds(moment.toEpochMilli());
    }
}
