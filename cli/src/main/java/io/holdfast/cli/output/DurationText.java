package io.holdfast.cli.output;

import java.time.Duration;
import java.util.Locale;

/** Durations in messages: settings as users write them, and measured times rounded for readers. */
public final class DurationText {

    private static final Duration EXACT_TO_A_TENTH = Duration.ofMinutes(2);
    private static final double MILLIS_PER_SECOND = 1_000;

    private DurationText() {}

    /** Returns a setting in the notation of the command line, such as {@code 30s}, {@code 1h30m} or {@code 10ms}. */
    public static String setting(Duration duration) {
        String text = part(duration.toDays(), "d")
                + part(duration.toHoursPart(), "h")
                + part(duration.toMinutesPart(), "m")
                + part(duration.toSecondsPart(), "s")
                + part(duration.toMillisPart(), "ms");
        return text.isEmpty() ? "0s" : text.equals("1d") ? "24h" : text;
    }

    private static String part(long count, String unit) {
        return count == 0 ? "" : count + unit;
    }

    /**
     * Returns a measured time, such as {@code 1.5 s}; from two minutes on without tenths, such as {@code 1 h 5 min}.
     */
    public static String measured(Duration duration) {
        if (duration.compareTo(EXACT_TO_A_TENTH) < 0) {
            return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / MILLIS_PER_SECOND);
        }
        long hours = duration.toHours();
        return hours == 0
                ? duration.toMinutes() + " min " + duration.toSecondsPart() + " s"
                : hours + " h " + duration.toMinutesPart() + " min";
    }
}
