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

/**
 * The page with the results: a picture of each chart, and below each its table, which is the next one of the page.
 */
public final class BenchmarkPage {

    private static final String DIRECTORY = "charts";

    private static final Pattern PICTURE = Pattern.compile("^!\\[[^]]+]\\(" + DIRECTORY + "/([a-z-]+)\\.svg\\)$");
    private static final Pattern HEADING = Pattern.compile("^scenario ([a-z-]+)$");

    private BenchmarkPage() {}

    /** Returns the line before the table of a scenario in the results. */
    public static String heading(String scenario) {
        return "scenario " + scenario;
    }

    /**
     * Draws all charts of the page, after the tables that the results contain were put into it.
     *
     * @param files the page, and after it the results, if there are any
     */
    public static void draw(List<Path> files) throws IOException {
        Path page = files.get(0);
        List<String> lines = Files.readAllLines(page);
        for (Path results : files.subList(1, files.size())) {
            lines = replaced(lines, tables(Files.readAllLines(results), HEADING));
        }
        Files.write(page, lines);
        Path directory = Files.createDirectories(page.resolveSibling(DIRECTORY));
        for (Map.Entry<String, String> chart : charts(lines).entrySet()) {
            Files.writeString(directory.resolve(chart.getKey()), chart.getValue());
        }
    }

    /** Returns the charts of the page by the names of their files. */
    static Map<String, String> charts(List<String> page) {
        Map<String, List<String>> tables = tables(page, PICTURE);
        Map<String, String> charts = new HashMap<>();
        for (ChartKind kind : ChartKind.ALL) {
            List<String> table = tables.get(kind.scenario());
            if (table != null) {
                charts.put(kind.scenario() + ".svg", Chart.draw(kind, MarkdownTable.parse(table)));
            }
        }
        return charts;
    }

    /** Returns the lines of the first table after each line that names a scenario. */
    private static Map<String, List<String>> tables(List<String> lines, Pattern names) {
        Map<String, List<String>> tables = new HashMap<>();
        String scenario = "";
        boolean inTable = false;
        for (String line : lines) {
            Matcher name = names.matcher(line);
            if (name.matches()) {
                scenario = name.group(1);
            } else if (MarkdownTable.isLine(line) && !scenario.isEmpty()) {
                tables.computeIfAbsent(scenario, missing -> new ArrayList<>()).add(line);
                inTable = true;
                continue;
            } else if (inTable) {
                scenario = "";
            }
            inTable = false;
        }
        return tables;
    }

    /** Returns the page with other tables below the pictures. */
    static List<String> replaced(List<String> page, Map<String, List<String>> tables) {
        List<String> lines = new ArrayList<>();
        List<String> pending = List.of();
        boolean inOld = false;
        for (String line : page) {
            Matcher picture = PICTURE.matcher(line);
            if (picture.matches()) {
                pending = tables.getOrDefault(picture.group(1), List.of());
            }
            boolean inTable = MarkdownTable.isLine(line);
            if (inTable && !pending.isEmpty()) {
                lines.addAll(pending);
                pending = List.of();
                inOld = true;
            } else if (!inTable) {
                inOld = false;
            }
            if (!inOld) {
                lines.add(line);
            }
        }
        return lines;
    }
}
