package io.holdfast.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.event.LockEvent;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.Moment;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The reading that meters, health and an endpoint share. */
class JobOverviewTest {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration AGE = Duration.ofSeconds(15);

    private final Machines machines = new Machines();
    private final InstantSource clock = machines.clock(Duration.ZERO);
    private final JobOverview overview = new JobOverview(machines.holdfast(), AGE);

    private void run(String job) throws InterruptedException {
        Job.of(machines.holdfast(), job).withClock(clock).run(run -> {});
    }

    private List<String> shown() {
        return overview.latest().jobs().stream().map(JobStatus::name).toList();
    }

    @Test
    void latest_firstCall_doesNotBlockAndReadsInTheBackground() throws InterruptedException {
        run("report");

        JobOverview.Reading first = overview.latest();
        machines.pass(SECOND);

        assertThat(first.isKnown()).isFalse();
        assertThat(shown()).containsExactly("report");
    }

    /** Each scrape of each process would ask the nodes otherwise, for each of its gauges. */
    @Test
    void latest_youngReading_isNotReplaced() throws InterruptedException {
        overview.latest();
        machines.pass(SECOND);
        Instant begun = overview.latest().begun();
        run("report");

        machines.pass(AGE.minus(Duration.ofSeconds(5)));
        overview.latest();
        machines.pass(SECOND);

        assertThat(overview.latest().begun()).isEqualTo(begun);
        machines.pass(AGE);
        overview.latest();
        machines.pass(SECOND);
        assertThat(shown()).containsExactly("report");
    }

    /** Otherwise a job that runs each minute is overdue at each scrape, if that is every five minutes. */
    @Test
    void latest_jobRanSinceThen_isNotOverdueByTheMomentOfTheReading() throws InterruptedException {
        Job minutely = Job.of(machines.holdfast(), "report").withClock(clock).expectEvery(Duration.ofMinutes(1));
        minutely.run(run -> {});
        overview.latest();
        machines.pass(SECOND);

        for (int minute = 0; minute < 5; minute++) {
            machines.pass(Duration.ofMinutes(1));
            minutely.run(run -> {});
        }

        JobOverview.Reading reading = overview.latest();
        assertThat(reading.jobs())
                .singleElement()
                .matches(job -> !job.isOverdue(reading.begun()))
                .matches(job -> job.isOverdue(clock.instant()));
    }

    @Test
    void latest_firstCallAfterAPause_isUnknownUntilTheNextReading() throws InterruptedException {
        run("report");
        overview.latest();
        machines.pass(SECOND);
        assertThat(shown()).containsExactly("report");

        machines.pass(JobOverview.LONGEST_SHOWN);

        assertThat(overview.latest())
                .isEqualTo(
                        new JobOverview.Reading(overview.latest().begun(), List.of(), "the last reading is too old"));
        machines.pass(SECOND);
        assertThat(shown()).containsExactly("report");
    }

    /** A closed client has no threads, so its tasks run on that of the caller. */
    @Test
    void latest_clientIsClosed_doesNotAskTheNodes() throws InterruptedException {
        run("report");
        machines.closeWithoutTimers();

        overview.latest();

        assertThat(overview.latest()).returns("the client is closed", JobOverview.Reading::cause);
    }

    /** The limit counts from the call, in which other questions are asked at the same time. */
    @Test
    void within_noReadingInTime_endsAtTheLimitOfTheCall() {
        machines.keepBusy();

        Supplier<JobOverview.Reading> reading = overview.within(SECOND);
        machines.pass(Duration.ofMillis(900));
        Moment begun = machines.now();

        assertThat(reading.get().isKnown()).isFalse();
        assertThat(machines.now().since(begun)).isBetween(Duration.ofMillis(90), Duration.ofMillis(300));
    }

    @Test
    void within_nodesAnswer_isThePresent() throws InterruptedException {
        run("report");

        assertThat(overview.within(SECOND).get().jobs()).hasSize(1);
    }

    @Test
    void latest_noMajority_saysWhyNothingIsKnown() throws InterruptedException {
        run("report");
        machines.node(0).down();
        machines.node(1).down();

        JobOverview.Reading reading = overview.within(SECOND).get();

        assertThat(reading.isKnown()).isFalse();
        assertThat(reading.cause()).isNotEmpty();
        assertThat(reading.jobs()).isEmpty();
    }

    @Test
    void events_eachEndOfARun_isReported() throws InterruptedException {
        List<LockEvent> events = new ArrayList<>();
        machines.holdfast().onEvent(events::add);

        run("report");
        assertThatThrownBy(() -> Job.of(machines.holdfast(), "report").run(run -> {
                    throw new IllegalStateException("fails");
                }))
                .hasMessage("fails");
        machines.pass(SECOND);

        assertThat(events.stream()
                        .filter(LockEvent.RunEnded.class::isInstance)
                        .map(LockEvent.RunEnded.class::cast)
                        .map(LockEvent.RunEnded::outcome))
                .containsExactly("succeeded", "failed");
    }

    /** Otherwise an application with such a client does not start. */
    @Test
    void create_clientWithShortLeases_isPossible() {
        VirtualTime time = new VirtualTime();
        Holdfast client = Holdfast.over(
                List.of(new InMemoryNode("node", time)),
                HoldfastOptions.builder().maxLease(Duration.ofSeconds(3)).build(),
                time,
                new Random(1));

        assertThat(new JobOverview(client).latest().isKnown()).isFalse();
    }

    @Test
    void create_noAge_isRejected() {
        assertThatThrownBy(() -> new JobOverview(machines.holdfast(), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("give a duration such as 15s");
    }

    @Test
    void new_anyAge_isAccepted() {
        JobOverview patient = new JobOverview(machines.holdfast(), Duration.ofSeconds(Long.MAX_VALUE));

        assertThat(patient.latest().isKnown()).isFalse();
    }
}
