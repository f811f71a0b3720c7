package io.holdfast.benchmarks.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A chart is legible in light and in dark, by the contrast that WCAG 2.1 asks of texts and of graphics. */
class ChartColoursTest {

    private static final double TEXT = 4.5;
    private static final double GRAPHICS = 3;
    private static final Pattern RULE = Pattern.compile("\\.?(\\w+) \\{ (?:fill|stroke): (#\\w{6})");

    private static Map<String, String> colours(boolean dark) {
        ChartKind kind = new ChartKind("s", "s", List.of(), List.of("a"), "b", List.of());
        String svg = Chart.draw(kind, MarkdownTable.parse(List.of("| a | b |", "|---|---|", "| x | 1 |")));
        String style = svg.substring(svg.indexOf("<style>"), svg.indexOf("</style>"));
        String part = style.split("@media \\(prefers-color-scheme: dark\\)", 2)[dark ? 1 : 0];
        Map<String, String> colours = new HashMap<>();
        RULE.matcher(part).results().forEach(rule -> colours.put(rule.group(1), rule.group(2)));
        return colours;
    }

    private static double contrast(String one, String other) {
        double lighter = Math.max(luminance(one), luminance(other));
        double darker = Math.min(luminance(one), luminance(other));
        return (lighter + 0.05) / (darker + 0.05);
    }

    private static double luminance(String colour) {
        double[] weights = {0.2126, 0.7152, 0.0722};
        return IntStream.range(0, 3)
                .mapToDouble(i -> {
                    double part = Integer.parseInt(colour, 1 + 2 * i, 3 + 2 * i, 16) / 255.0;
                    return weights[i] * (part <= 0.03928 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
                })
                .sum();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void draw_coloursOfTextsAndBars_contrastWithTheBackground(boolean dark) {
        Map<String, String> colours = colours(dark);
        String back = Objects.requireNonNull(colours.remove("back"));

        assertThat(colours).containsOnlyKeys("text", "dim", "ours", "others", "whisker");
        assertThat(colours)
                .allSatisfy((name, colour) -> assertThat(contrast(colour, back))
                        .as("%s, dark: %s", name, dark)
                        .isGreaterThanOrEqualTo(List.of("text", "dim").contains(name) ? TEXT : GRAPHICS));
    }
}
