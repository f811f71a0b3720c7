package io.holdfast.cli.option;

/** The notation of a whole number on the command line: decimal digits. */
public final class WholeNumber {

    /** The greatest number where an option sets no limit. */
    public static final int GREATEST = 999_999_999;

    private WholeNumber() {}

    /**
     * Parses a number.
     *
     * @param least the smallest number, at least 0
     * @param most the greatest number, at most {@link #GREATEST}; the text may have as many digits as it has
     * @param wrong the end of the message about a text that is not such a number, after the text in quotes
     * @throws IllegalArgumentException if the text is not such a number
     */
    public static int parse(String text, int least, int most, String wrong) {
        int digits = Integer.toString(most).length();
        if (text.matches("\\d{1," + digits + "}")) {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new IllegalArgumentException("'" + text + "' " + wrong);
    }
}
