package io.holdfast.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs at the border of a period: on machines whose clocks differ, and where the clocks of a time zone change. */
class PeriodBorderTest {

    private static final int INSTANTS = 25;

    private final Machines machines = new Machines();
    private final List<Instant> successes = new ArrayList<>();

    /** A machine that starts the job each hour by its own clock. */
    private record Machine(Job job, InstantSource clock, Duration ahead) {}

    private Machine machine(String period, Duration ahead) {
        InstantSource clock = machines.clock(ahead);
        Job job = Job.of(machines.holdfast(), "report")
                .withClock(clock)
                .inZone(ZoneOffset.UTC)
                .oncePer(JobPeriod.parse(period));
        return new Machine(job, clock, ahead);
    }

    private List<Machine> machines(String period, Duration... ahead) {
        return Stream.of(ahead)
                .map(one -> machine(period, one))
                .sorted(Comparator.comparing(Machine::ahead).reversed())
                .toList();
    }

    /** Starts the job on each machine when its clock is this time behind each full hour. */
    private void startHourly(List<Machine> all, Duration late, int failures) throws InterruptedException {
        Instant first = machines.clock(Duration.ofHours(2)).instant().truncatedTo(ChronoUnit.HOURS);
        int[] left = {failures};
        for (int hour = 0; hour < INSTANTS; hour++) {
            Instant moment = first.plus(Duration.ofHours(hour)).plus(late);
            for (Machine machine : all) {
                machines.passUntil(machine.clock(), moment);
                try {
                    machine.job().run(run -> {
                        if (left[0]-- > 0) {
                            throw new IllegalStateException("fails");
                        }
                        successes.add(moment);
                    });
                } catch (IllegalStateException failed) {
                    // The next machine runs the job.
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"@hourly", "59m", "55m"})
    void run_clocksDifferBy30Seconds_succeedsOncePerInstant(String period) throws InterruptedException {
        startHourly(
                machines(
                        period,
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(12),
                        Duration.ZERO,
                        Duration.ofSeconds(-17),
                        Duration.ofSeconds(-30)),
                Duration.ZERO,
                3);

        assertThat(successes).hasSize(INSTANTS).doesNotHaveDuplicates();
    }

    /** The timer of a scheduler may fire a moment before its instant. */
    @Test
    void run_timersFireEarly_succeedsOncePerInstant() throws InterruptedException {
        startHourly(machines("@hourly", Duration.ofSeconds(30), Duration.ZERO), Duration.ofMillis(-3), 0);

        assertThat(successes).hasSize(INSTANTS).doesNotHaveDuplicates();
    }

    @Test
    void run_oneTimerFiresEarly_succeedsOncePerInstant() throws InterruptedException {
        List<Machine> both = machines("@hourly", Duration.ofMillis(3), Duration.ZERO);
        // The first machine fires 3 ms early by its own clock, at the same moment as the second one.
        Instant hour = machines.clock(Duration.ofHours(2)).instant().truncatedTo(ChronoUnit.HOURS);
        machines.passUntil(both.get(0).clock(), hour.minusMillis(3));
        both.get(0).job().run(run -> successes.add(hour));
        machines.passUntil(both.get(1).clock(), hour);

        JobResult second = both.get(1).job().run(run -> successes.add(hour));

        assertThat(second.kind()).isEqualTo(JobResult.Kind.SUCCEEDED_BEFORE);
        assertThat(successes).hasSize(1);
    }

    /** Midnights that are missing, and that occur twice. */
    @ParameterizedTest
    @CsvSource({
        "Europe/Paris, 2026-03-28",
        "Europe/Paris, 2026-10-24",
        "America/Havana, 2026-03-07",
        "America/Havana, 2026-10-31",
        "America/Sao_Paulo, 2018-11-03",
        "Pacific/Apia, 2011-12-29",
        "UTC, 2028-02-28",
    })
    void run_clocksOfTheZoneChange_succeedsOnceEachDay(ZoneId zone, LocalDate first) throws InterruptedException {
        InstantSource clock =
                machines.clockAt(first.atStartOfDay(zone).toInstant().minusSeconds(1_800));
        Job daily = Job.of(machines.holdfast(), "report")
                .withClock(clock)
                .inZone(zone)
                .oncePer(JobPeriod.parse("@daily"));
        List<LocalDate> days = new ArrayList<>();

        for (int halfHours = 0; halfHours < 3 * 48; halfHours++) {
            daily.run(run -> days.add(clock.instant().atZone(zone).toLocalDate()));
            machines.pass(Duration.ofMinutes(30));
        }

        assertThat(days).doesNotHaveDuplicates().isSorted();
        LocalDate last = clock.instant().minusSeconds(1_800).atZone(zone).toLocalDate();
        assertThat(days).hasSize((int) first.minusDays(1)
                .datesUntil(last.plusDays(1))
                .filter(day -> day.atStartOfDay(zone).toLocalDate().equals(day))
                .count());
    }
}
