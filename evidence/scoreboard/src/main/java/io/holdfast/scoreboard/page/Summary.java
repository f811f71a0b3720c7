package io.holdfast.scoreboard.page;

import io.holdfast.benchmarks.figures.Chart;
import io.holdfast.benchmarks.figures.ChartKind;
import io.holdfast.benchmarks.figures.MarkdownTable;
import io.holdfast.scoreboard.Result;
import io.holdfast.scoreboard.contestant.Library;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The number of faults that cost each contestant an update. */
final class Summary {

    private static final String CONTESTANT = "contestant";
    private static final String COST = "faults";

    private static final ChartKind CHART = new ChartKind(
            "scoreboard", "Faults beside which updates were lost", List.of(), List.of(CONTESTANT), COST, List.of());

    private final List<Result> results;

    Summary(List<Result> results) {
        this.results = List.copyOf(results);
    }

    /** Returns the result: a sentence, and a list of those that lost nothing. */
    String result() {
        List<Library> all = libraries();
        List<String> safe = all.stream()
                .filter(library -> cost(library) == 0)
                .map(library -> "- " + library.title())
                .toList();
        return "Beside " + results.stream().map(Result::fault).distinct().count() + " faults, "
                + (all.size() - safe.size()) + " of " + all.size() + " contestants lost updates. These lost none:\n\n"
                + String.join("\n", safe);
    }

    private List<Library> libraries() {
        return Arrays.stream(Library.values())
                .filter(library -> results.stream().anyMatch(result -> result.library() == library))
                .toList();
    }

    private long cost(Library library) {
        return results.stream()
                .filter(result -> result.library() == library
                        && result.outcome() != null
                        && result.outcome().lost() > 0)
                .count();
    }

    /** Returns the number of faults that could be made for the library. */
    private long made(Library library) {
        return results.stream()
                .filter(result -> result.library() == library && result.outcome() != null)
                .count();
    }

    /** Returns the picture. */
    String chart() {
        List<List<String>> rows = new ArrayList<>();
        for (Library library : libraries()) {
            rows.add(List.of(library.shortTitle(), cost(library) + " of " + made(library)));
        }
        return Chart.draw(CHART, new MarkdownTable(List.of(CONTESTANT, COST), rows));
    }
}
