package io.holdfast.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.output.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files are replaced by metrics. */
class PrometheusFileTest {

    private static final String PREFIX = "holdfast_job";

    private final ByteArrayOutputStream messages = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    private PrometheusFile open(Path file) {
        return PrometheusFile.of(file, PREFIX, new Terminal(new PrintStream(messages, true, StandardCharsets.UTF_8)));
    }

    private static String gauge(String lock) {
        return PrometheusFile.gauge(PREFIX + "_failed", "1 if it failed.", Map.of(PrometheusFile.label(lock), "1"));
    }

    /** Otherwise each later call refuses the file. */
    @ParameterizedTest
    @ValueSource(strings = {"a\rb", "a\r\nb", "a\r", "a\u0085b", "a\u2028b", "a\u000bb", "a\fb", "\n#", "a\"\\b"})
    void of_ownFileWithAnyName_isReadAgain(String name) {
        Path file = directory.resolve("jobs.prom");
        open(file).write(gauge(name));
        List<String> read = new ArrayList<>();

        open(file).update(lines -> {
            read.addAll(lines);
            return gauge(name);
        });

        assertThat(read).containsExactly(PREFIX + "_failed" + PrometheusFile.label(name) + " 1");
        assertThat(file).hasContent(gauge(name));
    }

    @Test
    void of_fileThatCannotBeRead_isRefused() throws IOException {
        Path loop = Files.createSymbolicLink(directory.resolve("jobs.prom"), Path.of("jobs.prom"));
        Path bytes = Files.write(directory.resolve("bytes.prom"), new byte[] {(byte) 0xff});

        assertThatThrownBy(() -> open(loop))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("jobs.prom cannot be read, so it is not replaced: ");
        assertThatThrownBy(() -> open(bytes))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("bytes.prom cannot be read, so it is not replaced: it is not text in UTF-8");
    }

    /** The command has run, so its exit code stays. */
    @Test
    void update_fileCannotBeReadAnyMore_warnsAndKeepsIt() throws IOException {
        Path file = directory.resolve("jobs.prom");
        PrometheusFile metrics = open(file);
        Files.write(file, new byte[] {(byte) 0xff});

        metrics.update(lines -> gauge("a"));

        assertThat(file).hasBinaryContent(new byte[] {(byte) 0xff});
        assertThat(messages.toString(StandardCharsets.UTF_8))
                .contains("warning: --metrics-file " + file + " cannot be read, so it is not replaced: ");
    }
}
