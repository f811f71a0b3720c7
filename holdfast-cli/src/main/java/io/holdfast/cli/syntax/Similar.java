package io.holdfast.cli.syntax;

import java.util.Collection;

/** What somebody may have meant. */
public final class Similar {

    /** Letters that may be wrong, missing or too many. */
    private static final int MOST_MISTAKES = 2;

    private Similar() {}

    /** A question to append to an error; empty if nothing is like that word. */
    public static String hint(String word, Collection<String> known) {
        String best = "";
        int fewest = MOST_MISTAKES + 1;
        for (String candidate : known) {
            int mistakes = mistakes(word, candidate);
            if (mistakes < fewest && mistakes < candidate.length() / 2) {
                best = candidate;
                fewest = mistakes;
            }
        }
        return best.isEmpty() ? "" : "; did you mean '" + best + "'?";
    }

    /** The distance of Levenshtein, row by row. */
    private static int mistakes(String word, String candidate) {
        int[] row = new int[candidate.length() + 1];
        for (int column = 0; column < row.length; column++) {
            row[column] = column;
        }
        for (int letter = 1; letter <= word.length(); letter++) {
            int diagonal = row[0];
            row[0] = letter;
            for (int column = 1; column < row.length; column++) {
                int replaced = diagonal + (word.charAt(letter - 1) == candidate.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(replaced, 1 + Math.min(row[column], row[column - 1]));
            }
        }
        return row[candidate.length()];
    }
}
