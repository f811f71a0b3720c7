package io.holdfast.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The charts of the page show the stored results. */
class ResultChartsTest {

    private static final Path RESULTS = Path.of("../../docs/evidence/benchmarks.txt");
    private static final Pattern PICTURE = Pattern.compile("(?m)^!\\[[^]]+]\\(charts/([a-z-]+\\.svg)\\)$");

    @Test
    void draw_scenarioRanTwice_showsTheLaterResult(@TempDir Path directory) throws IOException {
        Path results = Files.write(
                directory.resolve("results.txt"),
                List.of(
                        "scenario heap",
                        "",
                        "Curator is left out",
                        "| N | heap for each |",
                        "|---|---|",
                        "| 1 | 643 B |",
                        "",
                        "scenario start",
                        "",
                        "| x |",
                        "|---|",
                        "| y |",
                        "",
                        "scenario heap",
                        "",
                        "| N | heap for each |",
                        "|---|---|",
                        "| 1 | 390 B |",
                        "| 3 | 392 B |"));

        ResultCharts.draw(results);

        assertThat(directory.resolve("charts/heap.svg"))
                .content()
                .contains("390 B", "392 B")
                .doesNotContain("643 B");
    }

    /** If this fails, draw them again: the end of the page has the command. */
    @Test
    void charts_ofTheResults_areThoseThatAreStored() throws IOException {
        Map<String, String> stored = new HashMap<>();
        try (Stream<Path> files = Files.list(RESULTS.resolveSibling("charts"))) {
            for (Path file : files.toList()) {
                stored.put(file.getFileName().toString(), Files.readString(file));
            }
        }

        assertThat(ResultCharts.charts(Files.readAllLines(RESULTS))).isEqualTo(stored);
    }

    @Test
    void page_hasAPictureOfEachKindOfChart() throws IOException {
        String page = Files.readString(RESULTS.resolveSibling("benchmarks.md"));

        assertThat(PICTURE.matcher(page).results().map(picture -> picture.group(1)))
                .containsExactlyInAnyOrderElementsOf(ChartKind.ALL.stream()
                        .map(kind -> kind.scenario() + ".svg")
                        .toList());
    }
}
