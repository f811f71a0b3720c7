package io.holdfast.scoreboard.page;

import io.holdfast.scoreboard.Result;
import io.holdfast.scoreboard.witness.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The figures of a result as texts for tables. */
final class Figures {

    private static final double SECOND = 1_000;
    private static final String NONE = "–";

    private Figures() {}

    /** The heads of the columns of {@link #row}. */
    static final List<String> COLUMNS = List.of(
            "contestant",
            "fault",
            "seed",
            "lost updates",
            "refused writes",
            "notified before the next one",
            "longest overlap, s",
            "longest time without a holder, s",
            "wait, median, s",
            "wait, 99 %, s",
            "checker");

    /** Returns all figures of a result as a row of a table, or the problem because of which there are none. */
    static String row(Result result) {
        Outcome outcome = result.outcome();
        String figures = outcome == null
                ? result.problem().replaceAll("[\\s|]+", " ") + " |".repeat(COLUMNS.size() - 4)
                : String.join(
                        " | ",
                        lost(outcome),
                        Long.toString(outcome.refused()),
                        outcome.notified().word(),
                        seconds(outcome.overlapMillis()),
                        seconds(outcome.gapMillis()),
                        wait(outcome, 0.5),
                        wait(outcome, 0.99),
                        violations(outcome));
        return "| " + result.library().title() + " | " + result.fault().title() + " | " + result.seed() + " | "
                + figures + " |";
    }

    /** Returns what the checker finds, or "none". */
    private static String violations(Outcome outcome) {
        return outcome.violations().isEmpty()
                ? "none"
                : outcome.violations().stream()
                        .map(kind -> kind.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                        .sorted()
                        .collect(Collectors.joining(", "));
    }

    /** Returns the lost updates and how many there were, in bold if some were lost. */
    static String lost(Outcome outcome) {
        String text = outcome.lost() + " of " + outcome.updates();
        return outcome.lost() > 0 ? "**" + text + "**" : text;
    }

    /** Returns the same, with a link to the history of a loss, which is in this directory. */
    static String lost(Result result, Outcome outcome, String directory) {
        Path history = result.history();
        return outcome.lost() == 0 || history == null
                ? lost(outcome)
                : "[" + lost(outcome) + "](" + directory + "/" + history.getFileName() + ")";
    }

    private static String wait(Outcome outcome, double share) {
        return outcome.waitsMillis().count() == 0
                ? NONE
                : seconds(outcome.waitsMillis().at(share));
    }

    static String seconds(double millis) {
        return String.format(Locale.ROOT, "%.1f", millis / SECOND);
    }
}
