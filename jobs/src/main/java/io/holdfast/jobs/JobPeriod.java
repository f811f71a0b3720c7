package io.holdfast.jobs;

import io.holdfast.time.DurationSyntax;
import io.holdfast.time.Durations;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A period in which a job shall succeed once: a unit of the calendar, the time between two given borders, or a
 * duration before the present. Immutable.
 *
 * <p>A unit of the calendar begins by the clock of its time zone, also on a day without a midnight, which begins with
 * its first moment. If a midnight occurs twice, the day begins at the first one.
 */
public final class JobPeriod {

    /** The longest period. */
    public static final Duration LONGEST = Duration.ofDays(366);

    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private static final Map<String, JobPeriod> UNITS = Map.of(
            "@hourly", unit("@hourly", 1, 2, now -> now.truncatedTo(ChronoUnit.HOURS)),
            "@daily", unit("@daily", 24, 48, now -> midnight(now, now.toLocalDate())),
            "@weekly",
                    unit(
                            "@weekly",
                            7 * 24,
                            8 * 24,
                            now -> midnight(
                                    now, now.toLocalDate().with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)))),
            "@monthly",
                    unit(
                            "@monthly",
                            31 * 24,
                            32 * 24,
                            now -> midnight(now, now.toLocalDate().with(TemporalAdjusters.firstDayOfMonth()))));

    private final String text;
    private final Duration every;
    private final Duration longest;
    private final boolean hasBorders;
    private final UnaryOperator<ZonedDateTime> beginning;
    private final UnaryOperator<ZonedDateTime> following;

    private JobPeriod(
            String text,
            Duration every,
            Duration longest,
            boolean hasBorders,
            UnaryOperator<ZonedDateTime> beginning,
            UnaryOperator<ZonedDateTime> following) {
        this.text = text;
        this.every = every;
        this.longest = longest;
        this.hasBorders = hasBorders;
        this.beginning = beginning;
        this.following = following;
    }

    private static JobPeriod unit(String text, int hours, int most, UnaryOperator<ZonedDateTime> beginning) {
        return new JobPeriod(
                text, Duration.ofHours(hours), Duration.ofHours(most), true, beginning, UnaryOperator.identity());
    }

    private static ZonedDateTime midnight(ZonedDateTime now, LocalDate day) {
        return day.atStartOfDay(now.getZone());
    }

    /**
     * Parses a period: {@code @hourly}, {@code @daily}, {@code @weekly}, {@code @monthly}, or a duration as {@link
     * DurationSyntax} has it, such as {@code 55m}, from 1 s to {@link #LONGEST}.
     *
     * @throws IllegalArgumentException if the text is not a period
     */
    public static JobPeriod parse(String text) {
        JobPeriod unit = UNITS.get(text);
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
        if (!isInRange(length)) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not between 1s and 366d; write a duration such as 55m");
        }
        return of(length);
    }

    /**
     * Returns the time before the present.
     *
     * @param length from 1 s to {@link #LONGEST}
     * @throws IllegalArgumentException if it is out of range
     */
    public static JobPeriod of(Duration length) {
        requireInRange(length);
        return new JobPeriod(
                length.toString(), length, length, false, now -> now.minus(length), UnaryOperator.identity());
    }

    /**
     * Returns a period with borders of its own, such as the moments of a cron expression.
     *
     * @param text describes the period in messages
     * @param every the usual time between two borders, from 1 s to {@link #LONGEST}
     * @param beginning returns the last border that is not after its argument; an earlier one than {@link #LONGEST}
     *     before counts as that
     * @param following returns the first border after its argument; its argument if there is none
     * @throws IllegalArgumentException if the usual time is out of range
     */
    public static JobPeriod withBorders(
            String text,
            Duration every,
            UnaryOperator<ZonedDateTime> beginning,
            UnaryOperator<ZonedDateTime> following) {
        requireInRange(every);
        return new JobPeriod(text, every, LONGEST, true, beginning, following);
    }

    private static void requireInRange(Duration length) {
        if (!isInRange(length)) {
            throw new IllegalArgumentException("The period " + length + " is not between " + SHORTEST + " and "
                    + LONGEST + "; choose another one");
        }
    }

    private static boolean isInRange(Duration length) {
        return length.compareTo(SHORTEST) >= 0 && length.compareTo(LONGEST) <= 0;
    }

    /** Returns when the period began to which this moment belongs; at most {@link #longest} before it. */
    public Instant start(Instant now, ZoneId zone) {
        Instant start = beginning.apply(now.atZone(zone)).toInstant();
        Instant earliest = now.minus(longest);
        return start.isBefore(earliest) ? earliest : start.isAfter(now) ? now : start;
    }

    /**
     * Returns the time from the run of the period that began at this moment to the next one: the usual time, or longer,
     * such as before a day on which the clock skips the time of the run. At most {@link #LONGEST}.
     */
    Duration everyFrom(Instant start, ZoneId zone) {
        Instant next = following.apply(start.atZone(zone)).toInstant();
        return Durations.shorter(Durations.longer(every, Duration.between(start, next)), LONGEST);
    }

    /** Returns the usual time between two runs. */
    public Duration every() {
        return every;
    }

    /** Returns a bound for the length of a period. */
    public Duration longest() {
        return longest;
    }

    /** Returns {@code true} if the periods are the same for all moments between two borders. */
    public boolean hasBorders() {
        return hasBorders;
    }

    /** Returns the period, a duration in ISO-8601. */
    @Override
    public String toString() {
        return text;
    }
}
