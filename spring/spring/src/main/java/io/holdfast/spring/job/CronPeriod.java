package io.holdfast.spring.job;

import io.holdfast.jobs.JobPeriod;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.support.CronExpression;

/** The periods between the moments of a cron expression of Spring. */
final class CronPeriod {

    /** Enough for the longest gap of a usual expression, such as the weekend of one for working days. */
    private static final int GAPS = 50;

    private static final Duration PRECISION = Duration.ofMillis(1);
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private CronPeriod() {}

    /**
     * Returns the periods.
     *
     * @param now from which the longest time between two moments is measured
     * @throws IllegalArgumentException if the text is no cron expression, or has fewer than two moments
     */
    static JobPeriod of(String text, ZonedDateTime now) {
        CronExpression moments = CronExpression.parse(text);
        return JobPeriod.withBorders(text, longestGap(moments, text, now), at -> last(moments, at));
    }

    private static Duration longestGap(CronExpression moments, String text, ZonedDateTime now) {
        Duration longest = SHORTEST;
        ZonedDateTime before = moments.next(now);
        for (int i = 0; i < GAPS && before != null; i++) {
            ZonedDateTime next = moments.next(before);
            if (next == null && i == 0) {
                before = null;
            } else if (next != null) {
                longest = Durations.longer(longest, Duration.between(before, next));
                before = next;
            }
        }
        if (before == null) {
            throw new IllegalArgumentException("'" + text + "' has no two moments");
        }
        return Durations.shorter(longest, JobPeriod.LONGEST);
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

    private static boolean isUntil(@Nullable ZonedDateTime moment, ZonedDateTime at) {
        return moment != null && !moment.isAfter(at);
    }
}
