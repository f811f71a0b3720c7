package io.holdfast.cli.report;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.output.FileFailure;
import io.holdfast.cli.output.LinkedFile;
import io.holdfast.cli.output.Terminal;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A file of metrics for the textfile collector of node_exporter, in the text format of Prometheus. It contains the last
 * run of one lock, and the last attempt to run, which may have been none. A reader finds the old contents or the new
 * ones. A symbolic link stays, and its target is replaced.
 *
 * @see <a href="https://prometheus.io/docs/instrumenting/exposition_formats/">Exposition formats</a>
 */
final class MetricsFile implements ReportListener {

    private static final String SUFFIX = ".prom";
    private static final String PREFIX = "holdfast_run_";
    private static final String LABEL = "{lock=\"";
    private static final double MILLIS_PER_SECOND = 1_000;

    /** The metrics, in the order of the file. */
    private enum Metric {
        START("last_start_timestamp_seconds", "The time at which the last command began."),
        END("last_end_timestamp_seconds", "The time at which the last command ended."),
        DURATION("last_duration_seconds", "How long the last command ran."),
        WAIT("last_wait_seconds", "How long the last run waited for the lock."),
        CODE("last_exit_code", "The exit code of the last run."),
        LOST("last_lost", "1 if the last run lost its lock, else 0."),
        SUCCESS("last_success_timestamp_seconds", "The last success, as far as this machine knows."),
        ATTEMPT("last_attempt_timestamp_seconds", "The end of the last attempt, also if the command did not run."),
        ATTEMPT_CODE("last_attempt_exit_code", "The exit code of the last attempt.");

        private final String metric;
        private final String help;

        Metric(String name, String help) {
            this.metric = PREFIX + name;
            this.help = help;
        }

        private String text(String label, String value) {
            return "# HELP " + metric + " " + help + "\n# TYPE " + metric + " gauge\n" + metric + label + " " + value
                    + "\n";
        }
    }

    private final Path file;
    private final String label;
    private final Terminal terminal;

    private MetricsFile(Path file, String label, Terminal terminal) {
        this.file = file;
        this.label = label;
        this.terminal = terminal;
    }

    /**
     * Returns the file for the runs of this lock.
     *
     * @throws Failure if node_exporter would not read the file, if it cannot be replaced, or if it belongs to another
     *     lock
     */
    static MetricsFile of(Path file, String lock, Terminal terminal) {
        if (!file.toString().endsWith(SUFFIX)) {
            throw new Failure(
                    ExitCode.USAGE,
                    "--metrics-file " + file + " does not end in .prom, and node_exporter reads no other files");
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new Failure(
                    ExitCode.USAGE, "--metrics-file " + file + " is no regular file; name one that may be replaced");
        }
        MetricsFile metrics = new MetricsFile(file, LABEL + escaped(lock) + "\"}", terminal);
        List<String> values = metrics.lines().stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
        if (values.stream().anyMatch(line -> !line.startsWith(PREFIX))) {
            throw new Failure(
                    ExitCode.USAGE,
                    "--metrics-file " + file + " contains something other than the metrics of Holdfast; name another"
                            + " file");
        } else if (values.stream().anyMatch(line -> !line.contains(metrics.label))) {
            throw new Failure(
                    ExitCode.USAGE,
                    "--metrics-file " + file + " belongs to another lock; give each lock a file of its own, or delete"
                            + " the file");
        }
        return metrics;
    }

    private static String escaped(String lock) {
        return lock.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private List<String> lines() {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (MalformedInputException noText) {
            return List.of("(no text)");
        } catch (IOException e) {
            return List.of();
        }
    }

    @Override
    public void started(CommandReport start) {}

    @Override
    public void ended(CommandReport end) {
        Map<Metric, String> values = values();
        if (end.outcome() != CommandReport.Outcome.UNREACHABLE) {
            double start = end.startMillis() / MILLIS_PER_SECOND;
            values.put(Metric.START, number(start));
            values.put(Metric.END, number(start + seconds(end.duration())));
            values.put(Metric.DURATION, number(seconds(end.duration())));
            values.put(Metric.WAIT, number(seconds(end.waited())));
            values.put(Metric.CODE, Integer.toString(end.exitCode()));
            values.put(Metric.LOST, end.outcome() == CommandReport.Outcome.LOST ? "1" : "0");
        }
        write(end, values);
    }

    /** Keeps what the file contains of the last run. */
    @Override
    public void notRun(CommandReport attempt) {
        write(attempt, values());
    }

    private void write(CommandReport attempt, Map<Metric, String> values) {
        // A skipped run knows when a command started that has succeeded, which may be the one in the file.
        attempt.success()
                .map(time -> number(time.toEpochMilli() / MILLIS_PER_SECOND))
                .ifPresent(time -> values.merge(Metric.SUCCESS, time, MetricsFile::later));
        values.put(Metric.ATTEMPT, number(System.currentTimeMillis() / MILLIS_PER_SECOND));
        values.put(Metric.ATTEMPT_CODE, Integer.toString(attempt.exitCode()));
        StringBuilder text = new StringBuilder();
        values.forEach((metric, value) -> text.append(metric.text(label, value)));
        try {
            // The collector ignores the temporary file, because of its name.
            LinkedFile.replace(file, text.toString(), "rw-r--r--");
        } catch (IOException e) {
            terminal.print("warning: --metrics-file " + file + " cannot be written: " + FileFailure.reasonToCreate(e));
        }
    }

    /** Returns the values in the file. */
    private Map<Metric, String> values() {
        Map<Metric, String> values = new EnumMap<>(Metric.class);
        List<String> lines = lines();
        for (Metric metric : Metric.values()) {
            String start = metric.metric + label + " ";
            lines.stream()
                    .filter(line -> line.startsWith(start))
                    .forEach(line -> values.put(metric, line.substring(start.length())));
        }
        return values;
    }

    private static String later(String old, String time) {
        try {
            return Double.parseDouble(old) > Double.parseDouble(time) ? old : time;
        } catch (NumberFormatException wrong) {
            return time;
        }
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / MILLIS_PER_SECOND;
    }

    private static String number(double seconds) {
        return String.format(Locale.ROOT, "%.3f", seconds);
    }
}
