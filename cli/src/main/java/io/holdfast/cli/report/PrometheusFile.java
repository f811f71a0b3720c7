package io.holdfast.cli.report;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.output.FileFailure;
import io.holdfast.cli.output.LinkedFile;
import io.holdfast.cli.output.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A file for the textfile collector of node_exporter, in the text format of Prometheus. A reader finds the old contents
 * or the new ones. A symbolic link stays, and its target is replaced.
 *
 * @see <a href="https://prometheus.io/docs/instrumenting/exposition_formats/">Exposition formats</a>
 */
final class PrometheusFile {

    private static final String SUFFIX = ".prom";
    private static final double MILLIS_PER_SECOND = 1_000;

    private final Path file;
    private final Terminal terminal;

    private PrometheusFile(Path file, Terminal terminal) {
        this.file = file;
        this.terminal = terminal;
    }

    /**
     * Returns the file, which may not exist yet.
     *
     * @param prefix the beginning of all metrics that the file may contain
     * @throws Failure if node_exporter would not read the file, if it cannot be read or replaced, or if it contains
     *     something else
     */
    static PrometheusFile of(Path file, String prefix, Terminal terminal) {
        if (!file.toString().endsWith(SUFFIX)) {
            throw refused(file, "does not end in .prom, and node_exporter reads no other files");
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw refused(file, "is no regular file; name one that may be replaced");
        }
        return new PrometheusFile(file, terminal)
                .requiring(
                        line -> line.startsWith(prefix),
                        "contains something other than the metrics of this command; name another file");
    }

    /**
     * Returns this file.
     *
     * @throws Failure if it cannot be read, or for this reason if a line with a value is another one
     */
    PrometheusFile requiring(Predicate<String> isOwn, String reason) {
        try {
            if (!values().stream().allMatch(isOwn)) {
                throw refused(file, reason);
            }
            return this;
        } catch (IOException e) {
            throw refused(file, "cannot be read, so it is not replaced: " + FileFailure.reason(e));
        }
    }

    private static Failure refused(Path file, String reason) {
        return new Failure(ExitCode.USAGE, "--metrics-file " + file + " " + reason);
    }

    /** Returns the lines with values; none if there is no file. The name of a lock may contain a carriage return. */
    private List<String> values() throws IOException {
        try {
            return Stream.of(Files.readString(file).split("\n"))
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (NoSuchFileException none) {
            return List.of();
        }
    }

    /**
     * Replaces the contents by a text that depends on the lines with values before; prints a warning if the file cannot
     * be read or replaced.
     */
    void update(Function<List<String>, String> text) {
        List<String> values;
        try {
            values = values();
        } catch (IOException e) {
            terminal.print("warning: --metrics-file " + file + " cannot be read, so it is not replaced: "
                    + FileFailure.reason(e));
            return;
        }
        write(text.apply(values));
    }

    /** Replaces the contents; prints a warning if that is not possible. */
    void write(String text) {
        try {
            // The collector ignores the temporary file, because of its name.
            LinkedFile.replace(file, text, "rw-r--r--");
        } catch (IOException e) {
            terminal.print("warning: --metrics-file " + file + " cannot be written: " + FileFailure.reasonToCreate(e));
        }
    }

    /** Returns a gauge with a value for each of these labels, which may be empty. */
    static String gauge(String metric, String help, Map<String, String> valueByLabel) {
        return "# HELP " + metric + " " + help + "\n# TYPE " + metric + " gauge\n"
                + valueByLabel.entrySet().stream()
                        .map(value -> metric + value.getKey() + " " + value.getValue() + "\n")
                        .collect(Collectors.joining());
    }

    /** Returns the label with the name of a lock. */
    static String label(String lock) {
        return "{lock=\"" + lock.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"}";
    }

    /** Returns a time in seconds. */
    static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.3f", millis / MILLIS_PER_SECOND);
    }
}
