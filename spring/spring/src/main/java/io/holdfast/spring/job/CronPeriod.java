package io.holdfast.spring.job;

import io.holdfast.jobs.JobPeriod;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

/** The periods between the moments of a cron expression of Spring. */
final class CronPeriod {

    /** The days are measured from here, so that instances that start at different times agree. */
    private static final ZonedDateTime BEGIN = ZonedDateTime.of(2023, 12, 31, 23, 59, 59, 0, ZoneOffset.UTC);

    private static final Period LEAP_CYCLE = Period.ofYears(4);

    private static final Duration PRECISION = Duration.ofMillis(1);
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private CronPeriod() {}

    /**
     * Returns the periods. The usual time between two moments is the longest one, such as a night or a weekend.
     *
     * @throws IllegalArgumentException if the text is no cron expression, or has no moments
     */
    static JobPeriod of(String text) {
        CronExpression moments = CronExpression.parse(text);
        ZonedDateTime first = moments.next(BEGIN);
        if (first == null) {
            throw new IllegalArgumentException("'" + text + "' has no moments");
        }
        Duration every = Durations.shorter(longestGap(moments, text, first), JobPeriod.LONGEST);
        return JobPeriod.withBorders(text, every, at -> last(moments, at), at -> next(moments, at));
    }

    /** All days of an expression have the same moments, so one day and the days of some years tell all gaps. */
    private static Duration longestGap(CronExpression moments, String text, ZonedDateTime first) {
        Duration longest = SHORTEST;
        ZonedDateTime last = first;
        ZonedDateTime next = moments.next(last);
        while (next != null && next.toLocalDate().equals(first.toLocalDate())) {
            longest = Durations.longer(longest, Duration.between(last, next));
            last = next;
            next = moments.next(last);
        }
        Duration overnight = longestTimeBetweenDays(text, first).minus(Duration.between(first, last));
        return Durations.longer(longest, overnight);
    }

    private static Duration longestTimeBetweenDays(String text, ZonedDateTime first) {
        String[] fields = StringUtils.tokenizeToStringArray(text, " ");
        CronExpression days = CronExpression.parse("0 0 0 " + fields[3] + " " + fields[4] + " " + fields[5]);
        Duration longest = Duration.ZERO;
        ZonedDateTime day = first.truncatedTo(ChronoUnit.DAYS);
        ZonedDateTime next = days.next(day);
        while (next != null && day.isBefore(first.plus(LEAP_CYCLE))) {
            longest = Durations.longer(longest, Duration.between(day, next));
            day = next;
            next = days.next(day);
        }
        return longest;
    }

    /** Returns the last moment that is not after this one; if there is none in the longest period, its beginning. */
    static ZonedDateTime last(CronExpression moments, ZonedDateTime at) {
        ZonedDateTime early = at.minus(JobPeriod.LONGEST);
        if (!isUntil(moments.next(early), at)) {
            return early;
        }
        // The moment after this one is the last one; the moment after that one is later than all.
        ZonedDateTime late = at;
        while (Duration.between(early, late).compareTo(PRECISION) > 0) {
            ZonedDateTime middle = early.plus(Duration.between(early, late).dividedBy(2));
            if (isUntil(moments.next(middle), at)) {
                early = middle;
            } else {
                late = middle;
            }
        }
        ZonedDateTime last = moments.next(early);
        return last == null ? early : last;
    }

    private static ZonedDateTime next(CronExpression moments, ZonedDateTime at) {
        ZonedDateTime next = moments.next(at);
        return next == null ? at : next;
    }

    private static boolean isUntil(@Nullable ZonedDateTime moment, ZonedDateTime at) {
        return moment != null && !moment.isAfter(at);
    }
}
