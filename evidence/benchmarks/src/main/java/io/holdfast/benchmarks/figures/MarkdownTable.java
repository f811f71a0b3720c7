package io.holdfast.benchmarks.figures;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table of a document.
 *
 * @param columns the heads of the columns
 * @param rows the cells; each row has one for each column
 */
public record MarkdownTable(List<String> columns, List<List<String>> rows) {

    public MarkdownTable {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
    }

    /** Returns whether the line belongs to a table. */
    static boolean isLine(String line) {
        return line.startsWith("|");
    }

    /** Reads a table from its lines: the heads, a line of dashes, and the rows. */
    public static MarkdownTable parse(List<String> lines) {
        List<List<String>> rows = new ArrayList<>();
        List<String> columns = cells(lines.get(0));
        for (String line : lines.subList(2, lines.size())) {
            List<String> cells = cells(line);
            if (cells.size() != columns.size()) {
                throw new IllegalArgumentException("A row of " + cells.size() + " cells in a table of " + columns.size()
                        + " columns; correct the row " + line);
            }
            rows.add(cells);
        }
        return new MarkdownTable(columns, rows);
    }

    private static List<String> cells(String line) {
        String inner = line.strip().replaceAll("^\\||\\|$", "");
        return Arrays.stream(inner.split("\\|", -1)).map(String::strip).toList();
    }

    /**
     * Returns the cell of a row in this column.
     *
     * @throws IllegalArgumentException if there is no such column
     */
    public String cell(List<String> row, String column) {
        int index = columns.indexOf(column);
        if (index < 0) {
            throw new IllegalArgumentException(
                    "The table has no column " + column + "; its columns are " + String.join(", ", columns));
        }
        return row.get(index);
    }
}
