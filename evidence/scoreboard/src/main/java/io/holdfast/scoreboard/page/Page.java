package io.holdfast.scoreboard.page;

import io.holdfast.scoreboard.FaultKind;
import io.holdfast.scoreboard.Result;
import io.holdfast.scoreboard.contestant.Library;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page that shows the results, made of a template. */
public final class Page {

    /** The directory of the histories beside the page. */
    private static final String HISTORIES = "histories";

    /** The length of a day in ISO 8601. */
    private static final int DAY = 10;

    private Page() {}

    /** Returns all figures of a result as a row of a table. */
    public static String row(Result result) {
        return Figures.row(result);
    }

    /** Returns the head of the table with all figures. */
    public static String head() {
        return "| " + String.join(" | ", Figures.COLUMNS) + " |\n|" + "---|".repeat(Figures.COLUMNS.size());
    }

    /**
     * Writes the page, its picture, the table with all figures, and the histories of the runs that lost updates.
     *
     * @param directory the directory of the page, such as {@code docs/evidence}
     */
    public static void write(Path directory, List<Result> results, long seed) throws IOException {
        Matrix matrix = new Matrix(results);
        Summary summary = new Summary(results);
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("summary", summary.result());
        parts.put("date", days(results));
        parts.put("seed", Long.toString(seed));
        parts.put("lost", matrix.of((result, outcome) -> Figures.lost(result, outcome, HISTORIES)));
        parts.put("notified", matrix.of((result, outcome) -> outcome.notified().word()));
        parts.put("gap", matrix.of((result, outcome) -> Figures.seconds(outcome.gapMillis())));
        parts.put("checker", summary.checker());
        parts.put("faults", faults());
        parts.put("missing", missing());
        String page = template();
        for (Map.Entry<String, String> part : parts.entrySet()) {
            page = page.replace("{{" + part.getKey() + "}}", part.getValue());
        }
        Files.writeString(directory.resolve("scoreboard.md"), page);
        Files.writeString(directory.resolve("scoreboard.svg"), summary.chart());
        Files.writeString(
                directory.resolve("scoreboard.txt"),
                results.stream().map(Page::row).collect(Collectors.joining("\n", head() + "\n", "\n")));
        keepHistories(directory.resolve(HISTORIES), results);
    }

    /** Returns the days of the runs, from the first to the last one. */
    private static String days(List<Result> results) throws IOException {
        SortedSet<String> days = new TreeSet<>();
        for (Result result : results) {
            if (result.history() != null) {
                days.add(Files.getLastModifiedTime(result.history()).toString().substring(0, DAY));
            }
        }
        return days.size() < 2 ? String.join("", days) : days.first() + " to " + days.last();
    }

    private static void keepHistories(Path directory, List<Result> results) throws IOException {
        Files.createDirectories(directory);
        try (Stream<Path> earlier = Files.list(directory)) {
            for (Path history : earlier.toList()) {
                Files.delete(history);
            }
        }
        for (Result result : results) {
            if (result.history() != null
                    && result.outcome() != null
                    && result.outcome().lost() > 0) {
                Files.copy(result.history(), directory.resolve(result.history().getFileName()));
            }
        }
    }

    private static String faults() {
        return Arrays.stream(FaultKind.values())
                .map(fault -> "| " + fault.title() + " | " + fault.description() + " |")
                .collect(Collectors.joining("\n"));
    }

    private static String missing() {
        List<String> missing = Arrays.stream(Library.values())
                .filter(library -> !library.isInstalled())
                .map(Library::title)
                .toList();
        return missing.isEmpty() ? "" : "Not installed, and so left out: " + String.join(", ", missing) + ".\n";
    }

    private static String template() throws IOException {
        try (InputStream in = Objects.requireNonNull(Page.class.getResourceAsStream("page.md"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
