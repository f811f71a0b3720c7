package io.holdfast.simulation.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.simulation.SimulationResult;
import io.holdfast.simulation.plan.Plan;
import io.holdfast.simulation.timeline.TimelineEvent.Kind;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.Violation;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimelineDataTest {

    private static final long MILLI = 1_000_000;

    private static TimelineData data(List<TimelineEvent> events) {
        return TimelineData.of(new SimulationResult(Plan.of(1, 3), 0, 0, 0, List.of()), events);
    }

    private static TimelineData brokenAt(Duration at, List<TimelineEvent> events) {
        Violation violation = new Violation(Property.EXCLUSION, at, "two hold lock-1");
        return TimelineData.of(new SimulationResult(Plan.of(1, 3), 0, 0, 0, List.of(violation)), events);
    }

    private static TimelineEvent event(long millis, String lane, Kind kind, long lastsMillis, String text) {
        String attempt = kind == Kind.STRUCK ? "" : "#1";
        String lock = kind == Kind.STRUCK ? "" : "lock-1";
        return new TimelineEvent(millis * MILLI, lane, kind, attempt, lock, lastsMillis * MILLI, text);
    }

    @Test
    void of_leaseGrantedAndReleased_isOneBar() {
        TimelineData data = data(List.of(
                event(5, "client-1", Kind.GRANTED, 0, "holds"), event(9, "client-1", Kind.RELEASED, 0, "released")));

        assertThat(data.bars())
                .containsExactly(new TimelineData.Bar("lease", "client-1", "lock-1", 5, 9, "#1", "holds"));
    }

    @Test
    void of_keyExtended_isOneBarUntilItsLastExtensionEnds() {
        TimelineData data = data(List.of(
                event(0, "node-1", Kind.KEPT, 10, "ACQUIRE"),
                event(6, "node-1", Kind.KEPT, 10, "EXTEND"),
                event(50, "node-1", Kind.DELETED, 0, "RELEASE")));

        assertThat(data.bars()).containsExactly(new TimelineData.Bar("key", "node-1", "lock-1", 0, 16, "#1", "EXTEND"));
    }

    @Test
    void of_faultThatLasts_endsAtTheNextFaultOfThePlace() {
        TimelineData data = data(List.of(
                event(1, "node-1", Kind.STRUCK, Long.MAX_VALUE / MILLI, "crashed"),
                event(4, "node-1", Kind.STRUCK, 0, "started empty"),
                event(30, "client-1", Kind.RELIED, 0, "live")));

        assertThat(data.bars())
                .containsExactly(
                        new TimelineData.Bar("fault", "node-1", "", 1, 4, "crashed", "crashed"),
                        new TimelineData.Bar("fault", "node-1", "", 4, 9, "started empty", "started empty"));
    }

    @Test
    void of_claimAndReply_areOneMessage() {
        TimelineData data = data(List.of(
                event(1, "client-1", Kind.SENT, 0, "ACQUIRE lock-1 #1 fence 2 → node-2"),
                event(3, "node-2", Kind.ANSWERED, 0, "ACQUIRE lock-1 #1 fence 2 ⇒ refused")));

        assertThat(data.messages()).containsExactly(new TimelineData.Message("client-1", "node-2", "lock-1", 1, 3));
    }

    @Test
    void of_lanes_areClientsThenNodesThenLinksInTheOrderOfTheirNumbers() {
        TimelineData data = data(List.of(
                event(1, "node-1", Kind.ANSWERED, 0, ""),
                event(1, "client-10", Kind.SENT, 0, ""),
                event(1, "client-1 → node-1", Kind.STRUCK, 0, "reset"),
                event(1, "client-2", Kind.SENT, 0, "")));

        assertThat(data.lanes())
                .extracting(TimelineData.Lane::name)
                .containsExactly("client-2", "client-10", "node-1", "client-1 → node-1");
    }

    @Test
    void of_lateViolation_hasTheEventsAroundIt() {
        List<TimelineEvent> events = IntStream.rangeClosed(0, 100)
                .mapToObj(second -> event(second * 1_000L, "client-1", Kind.RELIED, 0, "live"))
                .toList();

        TimelineData data = brokenAt(Duration.ofSeconds(60), events);

        assertThat(data.fromMillis()).isEqualTo(30_000);
        assertThat(data.toMillis()).isEqualTo(65_000);
        assertThat(data.violations()).containsExactly(new TimelineData.Break(60_000, "EXCLUSION", "two hold lock-1"));
        assertThat(data.title()).isEqualTo("Seed 1, 3 nodes: EXCLUSION");
    }

    @Test
    void of_moreEventsThanAPageShows_keepsTheViolation() {
        List<TimelineEvent> events = IntStream.range(0, 3 * TimelineData.MOST_EVENTS)
                .mapToObj(number -> new TimelineEvent(number * 1_000L, "client-1", Kind.RELIED, "", "", 0, "live"))
                .toList();
        Duration at = Duration.ofNanos(2L * TimelineData.MOST_EVENTS * 1_000);

        TimelineData data = brokenAt(at, events);

        assertThat(data.events()).hasSize(TimelineData.MOST_EVENTS);
        assertThat(at.toNanos() / 1e6).isBetween(data.fromMillis(), data.toMillis());
    }

    @Test
    void of_noEvents_isAnEmptyPart() {
        TimelineData data = data(List.of());

        assertThat(data.events()).isEmpty();
        assertThat(data.toMillis()).isGreaterThan(data.fromMillis());
    }
}
