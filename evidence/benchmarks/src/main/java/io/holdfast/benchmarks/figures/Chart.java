package io.holdfast.benchmarks.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A bar chart of a table, in groups with a scale of their own: an SVG picture with a background of its own, dark where
 * the reader prefers that. A bar ends at the median, its whisker at the 99th percentile; the texts are the table's.
 */
public final class Chart {

    private static final int WIDTH = 850;
    private static final int BAR_LEFT = 220;
    private static final int BAR_LONGEST = 330;
    private static final int TEXT_GAP = 8;
    private static final int LINE = 22;
    private static final int CAP = 4;

    /** The longest whisker, in longest bars of the group; otherwise one slow row would make all bars invisible. */
    private static final double MAX_WHISKER = 1.6;

    private static final String STYLE = """
            <style>
            .back { fill: #ffffff } text { fill: #1f2328 } .dim { fill: #59636e }
            .ours { fill: #1f6f8b } .others { fill: #838f9a } .whisker { stroke: #59636e; stroke-width: 1.5 }
            @media (prefers-color-scheme: dark) {
            .back { fill: #16181d } text { fill: #e6edf3 } .dim { fill: #a3adb8 }
            .ours { fill: #4fb0cf } .others { fill: #6b7680 } .whisker { stroke: #a3adb8 }
            }
            </style>
            """;

    private static final Pattern NUMBER = Pattern.compile("^-?\\d+(\\.\\d+)?");

    private final ChartKind kind;
    private final MarkdownTable table;
    private final StringBuilder body = new StringBuilder();
    private int baseline;

    private Chart(ChartKind kind, MarkdownTable table) {
        this.kind = kind;
        this.table = table;
    }

    /**
     * Returns the picture.
     *
     * @throws IllegalArgumentException if the table lacks a column of the chart
     */
    public static String draw(ChartKind kind, MarkdownTable table) {
        return new Chart(kind, table).svg();
    }

    private String svg() {
        baseline = LINE + 4;
        text(12, "font-weight=\"bold\" font-size=\"15\"", kind.title());
        groups().forEach(this::group);
        if (!kind.whiskers().isEmpty()) {
            baseline += LINE + LINE / 2;
            text(
                    12,
                    "class=\"dim\"",
                    "Bar: median. Whisker: 99th percentile, with an arrow if that is beyond the picture. In brackets: "
                            + "99 %, longest.");
        }
        int height = baseline + LINE / 2;
        return String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\""
                        + " font-family=\"system-ui, sans-serif\" font-size=\"13\" "
                        + "role=\"img\">%n<title>%3$s</title>%n%4$s"
                        + "<rect class=\"back\" width=\"100%%\" height=\"100%%\" rx=\"6\"/>%n%5$s</svg>%n",
                WIDTH,
                height,
                escaped(kind.title()),
                STYLE,
                body);
    }

    private Map<String, List<List<String>>> groups() {
        return table.rows().stream()
                .collect(Collectors.groupingBy(this::groupTitle, LinkedHashMap::new, Collectors.toList()));
    }

    private String groupTitle(List<String> row) {
        return kind.group().stream()
                .map(column ->
                        column.equals("N") ? "N = " + table.cell(row, column) : table.cell(row, column) + " " + column)
                .collect(Collectors.joining(", "));
    }

    private void group(String title, List<List<String>> rows) {
        baseline += LINE / 2;
        if (!title.isEmpty()) {
            baseline += LINE;
            text(12, "font-weight=\"bold\"", title);
        }
        double longestBar = greatest(rows, 1);
        double scale = Math.min(greatest(rows, 2), longestBar * MAX_WHISKER);
        rows.forEach(row -> bar(row, scale));
    }

    /** Returns the greatest of so many figures of each row. */
    private double greatest(List<List<String>> rows, int count) {
        return rows.stream()
                .flatMap(row -> figures(row).stream().limit(count))
                .mapToDouble(value -> value)
                .max()
                .orElse(0);
    }

    /** Returns the figures that are drawn: that of the bar, and that of the whisker. */
    private List<Double> figures(List<String> row) {
        List<Double> figures = new ArrayList<>();
        number(table.cell(row, kind.bar())).ifPresent(figures::add);
        kind.whiskers().stream()
                .limit(1)
                .forEach(column -> number(table.cell(row, column)).ifPresent(figures::add));
        return figures;
    }

    private void bar(List<String> row, double scale) {
        baseline += LINE;
        String label = label(row);
        text(24, "", label);
        List<Double> figures = figures(row);
        double end = BAR_LEFT;
        if (!figures.isEmpty() && scale > 0) {
            double length = Math.max(1, figures.get(0) / scale * BAR_LONGEST);
            end += length;
            line(
                    "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                    label.startsWith("Holdfast") ? "ours" : "others", BAR_LEFT, baseline - 12, length, LINE - 6);
            if (figures.size() > 1) {
                end = whisker(end, figures.get(1) / scale);
            }
        }
        text((int) end + TEXT_GAP, "", values(row));
    }

    /** Draws a whisker from the end of a bar to this share of the scale, and returns its end. */
    private double whisker(double from, double share) {
        double end = Math.max(from, BAR_LEFT + Math.min(1, share) * BAR_LONGEST);
        int middle = baseline - 4;
        // A cap, or the head of an arrow.
        double back = share > 1 ? end - CAP : end;
        line(
                "<path class=\"whisker\" fill=\"none\" d=\"M%.1f %d H%.1f M%.1f %d L%.1f %d L%.1f %d\"/>",
                from, middle, end, back, middle - CAP, end, middle, back, middle + CAP);
        return end;
    }

    private String label(List<String> row) {
        List<String> words = new ArrayList<>();
        for (String column : kind.label()) {
            String cell = table.cell(row, column);
            words.add(
                    switch (column) {
                        case "on disk" -> cell.equals("none") ? "" : " (" + cell + ")";
                        case "threads" -> ", " + cell + " threads";
                        case "round" -> ", round " + cell;
                        case "N" -> "Holdfast, N = " + cell;
                        default -> cell;
                    });
        }
        return String.join("", words);
    }

    private String values(List<String> row) {
        String value = table.cell(row, kind.bar());
        return kind.whiskers().isEmpty() || number(value).isEmpty()
                ? value
                : value + " ("
                        + kind.whiskers().stream()
                                .map(column -> table.cell(row, column))
                                .collect(Collectors.joining(", "))
                        + ")";
    }

    private static OptionalDouble number(String cell) {
        Matcher number = NUMBER.matcher(cell);
        return number.find() ? OptionalDouble.of(Double.parseDouble(number.group())) : OptionalDouble.empty();
    }

    private void text(int x, String attributes, String words) {
        line("<text x=\"%d\" y=\"%d\" %s>%s</text>", x, baseline, attributes, escaped(words));
    }

    private void line(String format, Object... values) {
        body.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escaped(String words) {
        return words.replace("&", "&amp;").replace("<", "&lt;");
    }
}
