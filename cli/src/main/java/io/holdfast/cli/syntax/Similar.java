package io.holdfast.cli.syntax;

import java.util.Collection;

/** Suggestions for a mistyped word. */
public final class Similar {

    /** The largest number of wrong, missing or extra letters. */
    private static final int MAX_MISTAKES = 2;

    /** The length from which on a single mistake is allowed in any word, if the first letter is right. */
    private static final int SHORTEST = 3;

    private Similar() {}

    /** Returns a question to append to an error message; empty if no known word is similar. */
    public static String hint(String word, Collection<String> known) {
        String best = "";
        int fewest = MAX_MISTAKES + 1;
        for (String candidate : known) {
            int mistakes = mistakes(word, candidate);
            if (mistakes < fewest && (mistakes < candidate.length() / 2 || isNear(word, candidate, mistakes))) {
                best = candidate;
                fewest = mistakes;
            }
        }
        return best.isEmpty() ? "" : "; did you mean '" + best + "'?";
    }

    private static boolean isNear(String word, String candidate, int mistakes) {
        return mistakes == 1
                && Math.min(word.length(), candidate.length()) >= SHORTEST
                && word.charAt(0) == candidate.charAt(0)
                && !candidate.startsWith("-");
    }

    /** Returns the Levenshtein distance, computed row by row. */
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
