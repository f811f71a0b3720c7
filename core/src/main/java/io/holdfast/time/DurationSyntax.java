package io.holdfast.time;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The notation of durations, such as {@code 500ms}, {@code 30s}, {@code 1.5s} or {@code 1h30m}. Only 0 needs no unit: a
 * number would be seconds for {@code timeout}, and milliseconds for Spring Boot.
 */
public final class DurationSyntax {

    private static final Map<String, Duration> UNITS = Map.of(
            "ms", Duration.ofMillis(1),
            "s", Duration.ofSeconds(1),
            "m", Duration.ofMinutes(1),
            "h", Duration.ofHours(1),
            "d", Duration.ofDays(1));
    private static final String NUMBER = "(\\d{1,9}(?:\\.\\d{1,9})?)";
    private static final Pattern ONLY_NUMBER = Pattern.compile(NUMBER);
    private static final Pattern PART = Pattern.compile("\\G" + NUMBER + "(ms|s|m|h|d)");
    private static final int MAX_PARTS = 5;
    private static final int MAX_SHOWN = 40;
    private static final String NO_FRACTION = "000000000";

    private static final String FOREVER = "forever";

    private DurationSyntax() {}

    /**
     * Parses a limit: a duration, or {@code forever}.
     *
     * @throws IllegalArgumentException if the text is neither, or is a number above 0 without a unit
     */
    public static Duration parseLimit(String text) {
        return text.equals(FOREVER) ? Durations.FOREVER : parse(text);
    }

    /**
     * Parses a duration.
     *
     * @throws IllegalArgumentException if the text is not a duration, or is a number above 0 without a unit
     */
    public static Duration parse(String text) {
        return text.equals("0") ? Duration.ZERO : sum(requireUnit(text));
    }

    private static String requireUnit(String text) {
        if (ONLY_NUMBER.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' has no unit; write 500ms, 30s, 2m or 1h");
        }
        return text;
    }

    private static Duration sum(String text) {
        Duration sum = Duration.ZERO;
        int parts = 0;
        int end = 0;
        for (Matcher part = PART.matcher(text); parts < MAX_PARTS && part.find(); parts++) {
            sum = Durations.shorter(Durations.FOREVER, sum.plus(times(part.group(1), unit(part.group(2)))));
            end = part.end();
        }
        if (parts == 0 || end < text.length()) {
            throw new IllegalArgumentException("'" + shortened(text)
                    + "' is not a duration; write a number with ms, s, m, h or d, such as 500ms, 30s or 1h30m");
        }
        return sum;
    }

    private static Duration unit(String symbol) {
        return Objects.requireNonNull(UNITS.get(symbol));
    }

    /** Calculates with whole numbers, because Java 25 needs 20 ms before its first {@link java.math.BigDecimal}. */
    private static Duration times(String number, Duration unit) {
        int point = number.indexOf('.');
        long whole = Long.parseLong(point < 0 ? number : number.substring(0, point));
        if (whole > Durations.FOREVER.toNanos() / unit.toNanos()) {
            return Durations.FOREVER;
        }
        String digits = point < 0 ? "" : number.substring(point + 1);
        long billionths = Long.parseLong((digits + NO_FRACTION).substring(0, NO_FRACTION.length()));
        Duration fraction = Duration.ofNanos(unit.toMillis() * billionths / 1_000);
        return Durations.shorter(
                Durations.FOREVER, Duration.ofNanos(whole * unit.toNanos()).plus(fraction));
    }

    private static String shortened(String text) {
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
    }
}
