package io.holdfast.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page gets its tables from the results, and its charts from its tables. */
class BenchmarkPageTest {

    private static final Path PAGE = Path.of("../../docs/evidence/benchmarks.md");

    private static final List<String> SMALL = List.of(
            "# Page",
            "| no | chart |",
            "|---|---|",
            "| 1 | 2 |",
            "",
            "![Heap](charts/heap.svg)",
            "",
            "| N | heap for each |",
            "|---|---|",
            "| 1 | 643 B |",
            "",
            "Text.",
            "",
            "| another | table |",
            "|---|---|",
            "| 3 | 4 |");

    @Test
    void draw_results_replaceTheTableBelowThePictureAndNoOther(@TempDir Path directory) throws IOException {
        Path page = Files.write(directory.resolve("page.md"), SMALL);
        Path results = Files.write(
                directory.resolve("results"),
                List.of(
                        "scenario heap",
                        "",
                        "Curator is left out",
                        "| N | heap for each |",
                        "|---|---|",
                        "| 1 | 390 B |",
                        "| 3 | 392 B |",
                        "",
                        "scenario frozen",
                        "",
                        "| x |",
                        "|---|",
                        "| y |"));

        BenchmarkPage.draw(List.of(page, results));

        List<String> expected = Stream.of(
                        SMALL.subList(0, 9), List.of("| 1 | 390 B |", "| 3 | 392 B |"), SMALL.subList(10, 16))
                .flatMap(List::stream)
                .toList();
        assertThat(page).hasContent(String.join("\n", expected));
        assertThat(directory.resolve("charts/heap.svg")).content().contains("390 B", "392 B");
    }

    @Test
    void draw_withoutResults_keepsThePage(@TempDir Path directory) throws IOException {
        Path page = Files.write(directory.resolve("page.md"), SMALL);

        BenchmarkPage.draw(List.of(page));

        assertThat(page).hasContent(String.join("\n", SMALL));
        assertThat(directory.resolve("charts/heap.svg")).content().contains("643 B");
    }

    /** If this fails, draw them again: the end of the page has the command. */
    @Test
    void charts_ofThePage_areThoseThatAreStored() throws IOException {
        Map<String, String> stored = new HashMap<>();
        try (Stream<Path> files = Files.list(PAGE.resolveSibling("charts"))) {
            for (Path file : files.toList()) {
                stored.put(file.getFileName().toString(), Files.readString(file));
            }
        }

        assertThat(BenchmarkPage.charts(Files.readAllLines(PAGE))).isEqualTo(stored);
    }

    @Test
    void page_hasAPictureOfEachKindOfChart() throws IOException {
        assertThat(BenchmarkPage.charts(Files.readAllLines(PAGE)))
                .containsOnlyKeys(ChartKind.ALL.stream()
                        .map(kind -> kind.scenario() + ".svg")
                        .toList());
    }
}
