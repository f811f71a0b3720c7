package io.holdfast.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The beginnings of periods, also where the clocks of a time zone change. */
class JobPeriodTest {

    @ParameterizedTest
    @CsvSource({
        "1h,       2026-11-22T03:10:00+01:00[Europe/Paris],   2026-11-22T02:10:00+01:00",
        "55m,      2026-11-22T03:10:00+01:00[Europe/Paris],   2026-11-22T02:15:00+01:00",
        "90s,       2026-11-22T03:10:00+01:00[Europe/Paris],   2026-11-22T03:08:30+01:00",
        "@hourly,  2026-11-22T03:10:00+01:00[Europe/Paris],   2026-11-22T03:00:00+01:00",
        "@hourly,  2026-11-22T03:10:00+05:30[Asia/Kolkata],   2026-11-22T03:00:00+05:30",
        "@daily,   2026-11-22T03:10:00+01:00[Europe/Paris],   2026-11-22T00:00:00+01:00",
        "@daily,   2026-11-22T00:00:00+01:00[Europe/Paris],   2026-11-22T00:00:00+01:00",
        "@weekly,  2026-11-22T03:10:00+01:00[Europe/Paris],   2026-11-16T00:00:00+01:00",
        "@weekly,  2026-11-23T00:00:00+01:00[Europe/Paris],   2026-11-23T00:00:00+01:00",
        "@monthly, 2026-11-22T03:10:00+01:00[Europe/Paris],   2026-11-01T00:00:00+01:00",
        // The clocks were set back at 03:00: two different hours are called 02.
        "@hourly,  2026-10-25T02:30:00+02:00[Europe/Paris],   2026-10-25T02:00:00+02:00",
        "@hourly,  2026-10-25T02:30:00+01:00[Europe/Paris],   2026-10-25T02:00:00+01:00",
        "@daily,   2026-10-25T12:00:00+01:00[Europe/Paris],   2026-10-25T00:00:00+02:00",
        // No midnight on this day.
        "@daily,   2018-11-04T12:00:00-02:00[America/Sao_Paulo], 2018-11-04T01:00:00-02:00",
        // Two midnights on this day.
        "@daily,   2026-11-01T00:30:00-05:00[America/Havana],  2026-11-01T00:00:00-04:00",
    })
    void start_moment_isTheBeginningOfItsPeriod(String period, ZonedDateTime now, String expected) {
        Instant start = JobPeriod.parse(period).start(now.toInstant(), now.getZone());

        assertThat(start).isEqualTo(ZonedDateTime.parse(expected).toInstant());
    }

    /** On this day the clock shows no 02:30, so the job would seem to be overdue. */
    @Test
    void everyFrom_dayWithoutTheMoment_isLonger() {
        UnaryOperator<ZonedDateTime> nextHalfPastTwo =
                at -> Stream.iterate(at.truncatedTo(ChronoUnit.HOURS), hour -> hour.plusHours(1))
                        .map(hour -> hour.plusMinutes(30))
                        .filter(moment -> moment.isAfter(at) && moment.getHour() == 2)
                        .findFirst()
                        .orElseThrow();
        JobPeriod nightly = JobPeriod.withBorders("02:30", Duration.ofDays(1), at -> at, nextHalfPastTwo);
        ZoneId zone = ZoneId.of("Europe/Berlin");
        ZonedDateTime before = ZonedDateTime.of(2026, 3, 28, 2, 30, 0, 0, zone);

        assertThat(nightly.everyFrom(before.toInstant(), zone)).isEqualTo(Duration.ofHours(47));
        assertThat(nightly.everyFrom(before.minusDays(1).toInstant(), zone)).isEqualTo(Duration.ofDays(1));
        assertThat(JobPeriod.parse("@daily").everyFrom(before.toInstant(), zone))
                .isEqualTo(Duration.ofDays(1));
    }

    /** Otherwise a record could expire within the period. */
    @ParameterizedTest
    @ValueSource(strings = {"@hourly", "@daily", "@weekly", "@monthly", "1s", "366d"})
    void length_allMomentsOfAYear_isNeverExceeded(String text) {
        JobPeriod period = JobPeriod.parse(text);
        ZoneId zone = ZoneId.of("Europe/Paris");
        Instant first = Instant.parse("2027-12-31T23:59:59Z");

        for (int hour = 0; hour < 366 * 24; hour++) {
            Instant now = first.plus(Duration.ofHours(hour));
            Instant start = period.start(now, zone);
            assertThat(start).isBeforeOrEqualTo(now);
            assertThat(Duration.between(start, now)).isLessThanOrEqualTo(period.longest());
        }
    }
}
