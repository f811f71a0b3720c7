package io.holdfast.cli.option;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The notation of durations, such as {@code 500ms}, {@code 30s} or {@code 1h30m}. */
public final class DurationSyntax {

    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "ms", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
    private static final Pattern ALL = Pattern.compile("(" + PART.pattern() + ")+");

    private DurationSyntax() {}

    /**
     * Parses a duration.
     *
     * @throws IllegalArgumentException if the text is not a duration
     */
    public static Duration parse(String text) {
        if (!ALL.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text
                    + "' is not a duration; write a number with ms, s, m, h or d, such as 500ms, 30s or 1h30m");
        }
        Duration sum = Duration.ZERO;
        for (Matcher part = PART.matcher(text); part.find(); ) {
            sum = sum.plus(Duration.of(Long.parseLong(part.group(1)), unit(part.group(2))));
        }
        return sum;
    }

    private static ChronoUnit unit(String symbol) {
        ChronoUnit unit = UNITS.get(symbol);
        if (unit == null) {
            throw new IllegalStateException("The pattern knows a unit that the map does not: " + symbol);
        }
        return unit;
    }
}
