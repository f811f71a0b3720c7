package io.holdfast.scoreboard.page;

import io.holdfast.benchmarks.figures.Chart;
import io.holdfast.benchmarks.figures.ChartKind;
import io.holdfast.benchmarks.figures.MarkdownTable;
import io.holdfast.scoreboard.Result;
import io.holdfast.scoreboard.contestant.Library;
import io.holdfast.scoreboard.witness.Outcome;
import io.holdfast.testkit.history.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

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

    /** Returns a sentence that compares the verdicts of the checker with the counter. */
    String checker() {
        long lost = count(outcome -> outcome.lost() > 0);
        long found = count(outcome -> outcome.lost() > 0 && outcome.violations().contains(Violation.Kind.UPDATE));
        long others =
                count(outcome -> outcome.lost() == 0 && outcome.violations().contains(Violation.Kind.UPDATE));
        return found == lost && others == 0
                ? "It finds a lost update in the " + lost + " runs in which the counter lost one, and in no other."
                : "It finds a lost update in " + found + " of the " + lost
                        + " runs in which the counter lost one, and in " + others + " others.";
    }

    private long count(Predicate<Outcome> matching) {
        return results.stream()
                .map(Result::outcome)
                .filter(outcome -> outcome != null && matching.test(outcome))
                .count();
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
