package io.holdfast.spring.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.jobs.JobPeriod;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the periods between the moments of a cron expression. */
class CronPeriodTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static JobPeriod period(String cron) {
        return CronPeriod.of(cron);
    }

    /** Spring leaves out a time that a change to summer time skips, and repeats one that occurs twice. */
    @ParameterizedTest
    @CsvSource({
        "0 0 3 * * *, 2026-03-11T03:00:00+01:00, 2026-03-11T03:00:00+01:00",
        "0 0 3 * * *, 2026-03-11T02:59:59.999+01:00, 2026-03-10T03:00:00+01:00",
        "0 0 3 * * MON-FRI, 2026-03-15T12:00:00+01:00, 2026-03-13T03:00:00+01:00",
        "* * * * * *, 2026-03-11T03:00:00.5+01:00, 2026-03-11T03:00:00+01:00",
        "* * 0-22 * * *, 2026-03-11T23:30:00+01:00, 2026-03-11T22:59:59+01:00",
        "0 30 2 * * *, 2026-03-29T12:00:00+02:00, 2026-03-28T02:30:00+01:00",
        "0 30 2 * * *, 2026-10-25T12:00:00+01:00, 2026-10-25T02:30:00+01:00",
        "0 0 0 29 2 *, 2026-03-11T03:00:00+01:00, 2025-03-10T03:00:00+01:00"
    })
    void start_momentOfThePeriod_isTheLastMomentOfTheExpression(String cron, String now, String expected) {
        Instant start = period(cron).start(ZonedDateTime.parse(now).toInstant(), BERLIN);

        assertThat(start).isEqualTo(ZonedDateTime.parse(expected).toInstant());
    }

    @ParameterizedTest
    @CsvSource({
        "0 0 3 * * *, P1D",
        "0 0 * * * *, PT1H",
        "* * * * * *, PT1S",
        "0 0 3 * * MON-FRI, P3D",
        "0 */10 9-17 * * MON-FRI, PT63H10M",
        "'0 0 8,18 * * *', PT14H",
        "0 0 3 1 * *, P31D",
        "0 0 3 * * MON#1, P35D",
        "0 0 * * 1 *, PT8041H",
        "0 0 3 29 2 *, P366D"
    })
    void every_expression_isTheLongestGap(String cron, String expected) {
        assertThat(period(cron).every()).isEqualTo(Duration.parse(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 3 * *", "at three o'clock", "0 0 0 31 2 *"})
    void of_noExpression_isRefused(String text) {
        assertThatThrownBy(() -> period(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void toString_expression_isTheText() {
        assertThat(period("0 0 3 * * *")).hasToString("0 0 3 * * *");
    }
}
