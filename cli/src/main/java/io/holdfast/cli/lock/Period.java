package io.holdfast.cli.lock;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.option.DurationSyntax;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A period in which a command shall succeed once: a calendar unit of a time zone, or a time before the present.
 *
 * @param length the period is at most this long
 * @param beginning returns the time after which a success counts, in the time zone of its argument
 */
public record Period(Duration length, UnaryOperator<ZonedDateTime> beginning) {

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    static final Duration LONGEST = Duration.ofDays(366);

    private static final Map<String, Period> UNITS = Map.of(
            "@hourly", new Period(Duration.ofHours(1), now -> now.truncatedTo(ChronoUnit.HOURS)),
            "@daily", new Period(Duration.ofDays(2), now -> midnight(now, now.toLocalDate())),
            "@weekly",
                    new Period(
                            Duration.ofDays(8),
                            now -> midnight(
                                    now, now.toLocalDate().with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)))),
            "@monthly",
                    new Period(
                            Duration.ofDays(32),
                            now -> midnight(now, now.toLocalDate().with(TemporalAdjusters.firstDayOfMonth()))));

    /** The short names of time zones that mean the same in Java and in the C library. */
    private static final Set<String> COMMON_SHORT_ZONES = Set.of("EST", "MST", "HST");

    private static ZonedDateTime midnight(ZonedDateTime now, LocalDate day) {
        return day.atStartOfDay(now.getZone());
    }

    /**
     * Parses a period.
     *
     * @throws IllegalArgumentException if the text is not a period
     */
    public static Period parse(String text) {
        Period unit = UNITS.get(text);
        if (unit != null) {
            return unit;
        } else if (text.startsWith("@")) {
            throw new IllegalArgumentException("'" + text
                    + "' is not a period; write @hourly, @daily, @weekly, @monthly or a duration such as 55m");
        }
        if (UNITS.containsKey("@" + text)) {
            throw new IllegalArgumentException("'" + text + "' is not a duration; write @" + text);
        }
        Duration length = DurationSyntax.parse(text);
        if (length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not between 1s and 366d; write a duration such as 55m");
        }
        return new Period(length, now -> now.minus(length));
    }

    /**
     * Rejects a time zone that Java reads differently from the C library, and so from cron and the command.
     *
     * @param zone the variable {@code TZ}
     */
    static void requireCommonZone(String zone) {
        if (isAmbiguous(zone.startsWith(":") ? zone.substring(1) : zone)) {
            throw new Failure(
                    ExitCode.USAGE,
                    "TZ=" + zone + " has different meanings in Java and in other programs, so --once-per cannot use"
                            + " its days; write TZ=Area/City, such as Europe/Berlin");
        }
    }

    /** For POSIX, GMT+3 is west of Greenwich, and IST and the like are other names for UTC. */
    private static boolean isAmbiguous(String zone) {
        boolean isShort = ZoneId.SHORT_IDS.containsKey(zone) && !COMMON_SHORT_ZONES.contains(zone);
        return isShort || zone.matches("GMT[+-](?!0$).*");
    }

    /** Returns when the period began to which this moment belongs. */
    public Instant start(Instant now, ZoneId zone) {
        return beginning.apply(now.atZone(zone)).toInstant();
    }
}
