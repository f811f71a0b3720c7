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
        long number = overview.latest().number();
        run("report");

        machines.pass(AGE.minus(Duration.ofSeconds(5)));
        overview.latest();
        machines.pass(SECOND);

        assertThat(overview.latest().number()).isEqualTo(number);
        machines.pass(AGE);
        overview.latest();
        machines.pass(SECOND);
        assertThat(shown()).containsExactly("report");
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
}
