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
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A file of metrics for the textfile collector of node_exporter, in the text format of Prometheus. It contains the last
 * run of one lock. A reader finds the old contents or the new ones. A symbolic link stays, and its target is replaced.
 *
 * @see <a href="https://prometheus.io/docs/instrumenting/exposition_formats/">Exposition formats</a>
 */
final class MetricsFile implements RunListener {

    private static final String SUFFIX = ".prom";
    private static final String PREFIX = "holdfast_run_";
    private static final String SUCCESS = PREFIX + "last_success_timestamp_seconds";
    private static final String LABEL = "{lock=\"";
    private static final double MILLIS_PER_SECOND = 1_000;

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
     * @throws Failure if node_exporter would not read the file, if it cannot be replaced, or if it belongs to another lock
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
    public void started(RunReport start) {}

    @Override
    public void ended(RunReport end) {
        if (end.outcome() == RunReport.Outcome.UNREACHABLE) {
            return;
        }
        try {
            // The collector ignores the temporary file, because of its name.
            LinkedFile.replace(file, text(end), "rw-r--r--");
        } catch (IOException e) {
            terminal.print("warning: --metrics-file " + file + " cannot be written: " + FileFailure.reasonToCreate(e));
        }
    }

    private String text(RunReport run) {
        double start = run.startMillis() / MILLIS_PER_SECOND;
        double end = start + seconds(run.duration());
        boolean isSuccess = run.outcome() == RunReport.Outcome.SUCCESS;
        Optional<String> success = isSuccess ? Optional.of(number(end)) : lastSuccess();
        StringBuilder text = new StringBuilder();
        add(text, "last_start_timestamp_seconds", "The time at which the last command began.", number(start));
        add(text, "last_end_timestamp_seconds", "The time at which the last command ended.", number(end));
        add(text, "last_duration_seconds", "How long the last command ran.", number(seconds(run.duration())));
        add(text, "last_wait_seconds", "How long the last run waited for the lock.", number(seconds(run.waited())));
        add(text, "last_exit_code", "The exit code of the last run.", Integer.toString(run.exitCode()));
        add(
                text,
                "last_lost",
                "1 if the last run lost its lock, else 0.",
                run.outcome() == RunReport.Outcome.LOST ? "1" : "0");
        success.ifPresent(
                time -> add(text, SUCCESS.substring(PREFIX.length()), "The end of the last run that succeeded.", time));
        return text.toString();
    }

    private void add(StringBuilder text, String name, String help, String value) {
        text.append("# HELP " + PREFIX + name + " " + help + "\n");
        text.append("# TYPE " + PREFIX + name + " gauge\n");
        text.append(PREFIX + name + label + " " + value + "\n");
    }

    /** Returns the time of the last success in the file, which a failure does not change. */
    private Optional<String> lastSuccess() {
        return lines().stream()
                .filter(line -> line.startsWith(SUCCESS + label + " "))
                .map(line -> line.substring((SUCCESS + label + " ").length()))
                .findFirst();
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / MILLIS_PER_SECOND;
    }

    private static String number(double seconds) {
        return String.format(Locale.ROOT, "%.3f", seconds);
    }
}
