package io.holdfast.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A bar chart of measured values, in groups with a scale of their own; an SVG picture without scripts and style sheets.
 */
final class Chart {

    private static final int WIDTH = 760;
    private static final int BAR_LEFT = 200;
    private static final int BAR_LONGEST = 460;
    private static final int LINE = 22;
    private static final String HOLDFAST_COLOR = "#1f6f8b";
    private static final String OTHER_COLOR = "#b9c4c9";

    private final Map<String, List<Bar>> groups = new LinkedHashMap<>();

    private record Bar(String name, double value, String label) {}

    /** Adds a bar to the group with this title. */
    void add(String group, String name, double value, String unit) {
        String label = String.format(Locale.ROOT, value < 10 ? "%.2f %s" : "%.0f %s", value, unit);
        groups.computeIfAbsent(group, title -> new ArrayList<>()).add(new Bar(name, value, label));
    }

    void write(Path file) throws IOException {
        Files.writeString(file, svg());
    }

    private String svg() {
        StringBuilder body = new StringBuilder();
        int top = 0;
        for (Map.Entry<String, List<Bar>> group : groups.entrySet()) {
            top += 2 * LINE;
            body.append(text(8, top, "bold", group.getKey()));
            double longest =
                    group.getValue().stream().mapToDouble(Bar::value).max().orElse(1);
            for (Bar bar : group.getValue()) {
                top += LINE;
                body.append(svg(bar, top, Math.max(1, bar.value() / longest * BAR_LONGEST)));
            }
        }
        return String.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\""
                        + " font-family=\"sans-serif\" font-size=\"13\">%n<rect width=\"100%%\" height=\"100%%\""
                        + " fill=\"white\"/>%n%3$s</svg>%n",
                WIDTH, top + LINE, body);
    }

    private static String svg(Bar bar, int baseline, double length) {
        return text(20, baseline, "normal", bar.name())
                + String.format(
                        Locale.ROOT,
                        "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                        BAR_LEFT,
                        baseline - LINE + 9,
                        length,
                        LINE - 6,
                        bar.name().startsWith("Holdfast") ? HOLDFAST_COLOR : OTHER_COLOR)
                + text((int) (BAR_LEFT + length + 6), baseline, "normal", bar.label());
    }

    private static String text(int x, int baseline, String weight, String words) {
        return String.format(
                "<text x=\"%d\" y=\"%d\" font-weight=\"%s\">%s</text>%n",
                x, baseline, weight, words.replace("&", "&amp;").replace("<", "&lt;"));
    }
}
