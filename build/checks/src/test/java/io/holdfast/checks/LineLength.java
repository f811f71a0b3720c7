package io.holdfast.checks;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The longest line of a text that people read. Rows of tables, and text that cannot be divided, may be longer. */
final class LineLength {

    static final int LIMIT = 120;

    private static final Pattern TABLE = Pattern.compile("\\s*(?:\\*\\s*)?\\|.*");
    /** A heading, a picture, a link, or code between backquotes: none is divided. */
    private static final Pattern WHOLE = Pattern.compile("^#+ .*|!\\[[^]]*]|`[^`]+`|]\\([^)]+\\)|\\S+://\\S+");
    /** The beginning of a line before its text: the indent, the mark of a comment, of a list or of an import. */
    private static final Pattern MARK = Pattern.compile("^\\s*(?:(?:\\*|//|-|\\d+\\.|import|package|@see)\\s+)?");

    private LineLength() {}

    /** Returns the place of each line that is too long and could be divided. */
    static List<String> violations(String file, String content) {
        List<String> violations = new ArrayList<>();
        int number = 0;
        for (String line : content.split("\n", -1)) {
            number++;
            if (line.length() > LIMIT && canBeDivided(line)) {
                violations.add(file + ":" + number + ": a line of " + line.length() + " columns; end it at " + LIMIT);
            }
        }
        return violations;
    }

    private static boolean canBeDivided(String line) {
        String text = MARK.matcher(line).replaceFirst("");
        return !TABLE.matcher(line).matches()
                && WHOLE.matcher(text).replaceAll("x").strip().contains(" ");
    }
}
