package io.holdfast.benchmarks.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Draws the tables that the scenarios print. */
public final class ResultCharts {

    private static final Pattern HEADING = Pattern.compile("^scenario ([a-z-]+)$");

    private ResultCharts() {}

    /** Returns the line before the table of a scenario in the results. */
    public static String heading(String scenario) {
        return "scenario " + scenario;
    }

    /** Draws the charts of the results into the folder {@code charts} beside them. */
    public static void draw(Path results) throws IOException {
        Path directory = Files.createDirectories(results.resolveSibling("charts"));
        for (Map.Entry<String, String> chart :
                charts(Files.readAllLines(results)).entrySet()) {
            Files.writeString(directory.resolve(chart.getKey()), chart.getValue());
        }
    }

    /** Returns the charts of the results by the names of their files. */
    static Map<String, String> charts(List<String> results) {
        Map<String, List<String>> tables = tables(results);
        Map<String, String> charts = new HashMap<>();
        for (ChartKind kind : ChartKind.ALL) {
            List<String> table = tables.get(kind.scenario());
            if (table != null) {
                charts.put(kind.scenario() + ".svg", Chart.draw(kind, MarkdownTable.parse(table)));
            }
        }
        return charts;
    }

    /** Returns the table of each scenario. That of a later run replaces that of an earlier one. */
    private static Map<String, List<String>> tables(List<String> lines) {
        Map<String, List<String>> tables = new HashMap<>();
        List<String> table = new ArrayList<>();
        for (String line : lines) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                table = new ArrayList<>();
                tables.put(heading.group(1), table);
            } else if (MarkdownTable.isLine(line)) {
                table.add(line);
            }
        }
        return tables;
    }
}
