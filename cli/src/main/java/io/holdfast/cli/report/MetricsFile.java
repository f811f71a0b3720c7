package io.holdfast.cli.report;

import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.output.Terminal;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A file of metrics with the last run of one lock, and the last attempt to run, which may have been none. */
final class MetricsFile implements ReportListener {

    private static final String PREFIX = "holdfast_run_";

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
            return PrometheusFile.gauge(metric, help, Map.of(label, value));
        }
    }

    private final PrometheusFile file;
    private final String label;

    private MetricsFile(PrometheusFile file, String label) {
        this.file = file;
        this.label = label;
    }

    /**
     * Returns the file for the runs of this lock.
     *
     * @throws Failure if node_exporter would not read the file, if it cannot be read or replaced, or if it belongs to
     *     another lock
     */
    static MetricsFile of(Path path, String lock, Terminal terminal) {
        String label = PrometheusFile.label(lock);
        PrometheusFile file = PrometheusFile.of(path, PREFIX, terminal)
                .requiring(
                        line -> line.contains(label),
                        "belongs to another lock; give each lock a file of its own, or delete the file");
        return new MetricsFile(file, label);
    }

    @Override
    public void started(CommandReport start) {}

    @Override
    public void ended(CommandReport end) {
        file.update(lines -> ended(end, values(lines)));
    }

    private String ended(CommandReport end, Map<Metric, String> values) {
        if (end.outcome() != CommandReport.Outcome.UNREACHABLE && end.outcome() != CommandReport.Outcome.ERROR) {
            long start = end.startMillis();
            values.put(Metric.START, PrometheusFile.seconds(start));
            values.put(Metric.END, PrometheusFile.seconds(start + end.duration().toMillis()));
            values.put(Metric.DURATION, PrometheusFile.seconds(end.duration().toMillis()));
            values.put(Metric.WAIT, PrometheusFile.seconds(end.waited().toMillis()));
            values.put(Metric.CODE, Integer.toString(end.exitCode()));
            values.put(Metric.LOST, end.outcome() == CommandReport.Outcome.LOST ? "1" : "0");
        }
        return text(end, values);
    }

    /** Keeps what the file contains of the last run. */
    @Override
    public void notRun(CommandReport attempt) {
        file.update(lines -> text(attempt, values(lines)));
    }

    private String text(CommandReport attempt, Map<Metric, String> values) {
        // A skipped run knows when a command started that has succeeded, which may be the one in the file.
        attempt.success()
                .map(time -> PrometheusFile.seconds(time.toEpochMilli()))
                .ifPresent(time -> values.merge(Metric.SUCCESS, time, MetricsFile::later));
        values.put(Metric.ATTEMPT, PrometheusFile.seconds(System.currentTimeMillis()));
        values.put(Metric.ATTEMPT_CODE, Integer.toString(attempt.exitCode()));
        StringBuilder text = new StringBuilder();
        values.forEach((metric, value) -> text.append(metric.text(label, value)));
        return text.toString();
    }

    /** Returns the values in the file. */
    private Map<Metric, String> values(List<String> lines) {
        Map<Metric, String> values = new EnumMap<>(Metric.class);
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
}
