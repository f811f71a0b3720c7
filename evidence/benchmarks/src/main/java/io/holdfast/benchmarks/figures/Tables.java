package io.holdfast.benchmarks.figures;

import java.util.List;
import java.util.Locale;

/** Prints the tables of the scenarios, as Markdown. */
public final class Tables {

    /** A cell without a figure. */
    public static final String NONE = "–";

    private Tables() {}

    /** Begins a table with these columns. */
    public static void head(List<String> columns) {
        row(columns);
        System.out.println("|" + "---|".repeat(columns.size()));
    }

    /** Begins a table with these columns. */
    public static void head(String... columns) {
        head(List.of(columns));
    }

    public static void row(List<String> cells) {
        System.out.println("| " + String.join(" | ", cells) + " |");
    }

    public static void row(String... cells) {
        row(List.of(cells));
    }

    /** Returns the number as it is in all languages. */
    public static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }

    /** Returns the median, the 99th percentile and the greatest of the values. */
    public static List<String> latency(String format, Spread values) {
        return values.count() == 0
                ? List.of(NONE, NONE, NONE)
                : List.of(
                        number(format, values.median()), number(format, values.at(0.99)), number(format, values.at(1)));
    }
}
