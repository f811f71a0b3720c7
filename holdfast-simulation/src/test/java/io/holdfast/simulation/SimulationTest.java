package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.RestartPolicy;
import io.holdfast.simulation.plan.Faults;
import io.holdfast.simulation.plan.Plan;
import io.holdfast.simulation.timeline.Timeline;
import io.holdfast.simulation.timeline.TimelinePage;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random runs: nothing breaks while the assumptions hold; otherwise only the violations that theory predicts occur. */
@Tag("slow")
class SimulationTest {

    /** The profile {@code evidence} simulates more seeds. */
    private static final long SEEDS = Boolean.getBoolean("holdfast.evidence") ? 60 : 8;

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void run_faultsInsideTheAssumptions_breaksNothing(int nodes) {
        Score score = Batch.run(nodes, 1_000_000, SEEDS, false, false);

        assertThat(score.examples()).isEmpty();
        assertThat(score.granted()).isGreaterThan(SEEDS * 50);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void run_noFaults_breaksNothing(int nodes) {
        SimulationResult result = Simulation.of(Plan.of(1, nodes).with(Faults.NONE));

        assertThat(result.violations()).isEmpty();
        assertThat(result.granted()).isGreaterThan(20);
    }

    @Test
    void run_samePlan_isTheSameToTheLastMessage() {
        Timeline first = new Timeline();
        Timeline second = new Timeline();
        Simulation.of(Plan.of(5, 3), first);
        Simulation.of(Plan.of(5, 3), second);

        assertThat(first.lines().toList()).isEqualTo(second.lines().toList());
    }

    @Test
    void run_samePlanWithEveryMethod_isTheSameToTheLastMessage() {
        Timeline first = new Timeline();
        Timeline second = new Timeline();
        Simulation.of(Plan.of(3, 3).withEverything(), first);
        Simulation.of(Plan.of(3, 3).withEverything(), second);

        assertThat(first.lines().toList()).isEqualTo(second.lines().toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void run_usersCallEveryMethod_nothingBreaks(int nodes) {
        List<SimulationResult> results = LongStream.range(0, 10)
                .mapToObj(seed -> Simulation.of(Plan.of(seed, nodes).withEverything()))
                .toList();

        assertThat(results).allMatch(result -> result.violations().isEmpty());
        assertThat(results.stream().mapToLong(SimulationResult::granted).sum()).isGreaterThan(1_000);
    }

    /** Ensures that the runs contain blocked calls and resumed and detached leases. */
    @Test
    void run_usersCallEveryMethod_leasesAreDetachedAndResumed() {
        HandedOn handedOn = new HandedOn();
        LongStream.range(0, 5).forEach(seed -> Simulation.of(Plan.of(seed, 3).withEverything(), handedOn));

        assertThat(handedOn.detached).isPositive();
        assertThat(handedOn.resumed).isPositive();
        assertThat(handedOn.permits).isPositive();
        assertThat(handedOn.leaders).isPositive();
    }

    /** Counts the actions of users that workers never take. */
    private static final class HandedOn implements Observer {

        private int detached;
        private int resumed;
        private int permits;
        private int leaders;

        @Override
        public void detached(ObservedLease holding) {
            detached++;
        }

        @Override
        public void resumed(ObservedLease holding) {
            resumed++;
        }

        @Override
        public void granted(ObservedLease holding) {
            permits += holding.resource().startsWith("pool/") ? 1 : 0;
            leaders += holding.resource().equals("leader") ? 1 : 0;
        }
    }

    /** Ensures that the runs contain both shared and exclusive leases of one lock. */
    @Test
    void run_sharingPlan_locksAreSharedAndOpened() {
        Plan plan = LongStream.range(0, 100)
                .mapToObj(seed -> Plan.of(seed, 3))
                .filter(one -> one.shared() > 0.3 && one.shared() < 0.7)
                .findFirst()
                .orElseThrow();
        Sharing sharing = new Sharing();

        assertThat(Simulation.of(plan, sharing).violations()).isEmpty();

        assertThat(sharing.together).isPositive();
        assertThat(sharing.opened).isPositive();
    }

    /** Counts the shared holders that joined others, and the downgrades of exclusive holders. */
    private static final class Sharing implements Observer {

        private final List<ObservedLease> exclusive = new ArrayList<>();
        private final List<ObservedLease> shared = new ArrayList<>();
        private int together;
        private int opened;

        @Override
        public void granted(ObservedLease holding) {
            shared.removeIf(other -> !other.isValid());
            if (holding.isShared()) {
                together += shared.stream().anyMatch(other -> other.resource().equals(holding.resource())) ? 1 : 0;
                shared.add(holding);
            } else {
                exclusive.add(holding);
            }
        }

        @Override
        public void releasing(ObservedLease holding) {
            opened += exclusive.remove(holding) && holding.isShared() ? 1 : 0;
        }
    }

    @Test
    void run_nodesClocksStep_twoHoldAndTheResourceRefusesTheOlder() {
        Faults stepping = Faults.NONE.withNodeStep(Duration.ofSeconds(2));

        assertThat(broken(stepping, RestartPolicy.QUARANTINE))
                .contains(Property.EXCLUSION)
                .doesNotContain(Property.TOKEN_ORDER);
    }

    @Test
    void run_nodesEvictLocks_twoHold() {
        Faults evicting = Faults.NONE.withEviction(Duration.ofSeconds(2));

        assertThat(broken(evicting, RestartPolicy.QUARANTINE)).contains(Property.EXCLUSION);
    }

    /** The policy {@code appendfsync everysec} after a loss of power, declared durable. */
    @Test
    void run_nodesForgetAndAreDeclaredDurable_twoHold() {
        Faults forgetting = Faults.NONE.withCrash(Duration.ofSeconds(1), 1);

        assertThat(broken(forgetting, RestartPolicy.DURABLE)).contains(Property.EXCLUSION);
    }

    /** Without fencing, each of these writes would have changed the resource of another holder. */
    @Test
    void run_holdersArePausedBeyondTheirLease_theirWritesAreRefused() {
        Faults pausing = Faults.NONE.withPause(Duration.ofSeconds(2), Duration.ofSeconds(20));

        List<SimulationResult> results = results(pausing, RestartPolicy.QUARANTINE);

        assertThat(results).allMatch(result -> result.violations().isEmpty());
        assertThat(results.stream().mapToLong(SimulationResult::refused).sum()).isPositive();
    }

    @Test
    void page_ofARunWithAViolation_showsItAndEscapesEverything() {
        Timeline timeline = new Timeline();
        Plan plan = Plan.of(3, 3).with(Faults.NONE.withNodeStep(Duration.ofSeconds(1)));
        SimulationResult result = Simulation.of(plan, timeline);

        String page = TimelinePage.of(result, timeline);

        assertThat(page).contains("<svg", "class='lease'", "class='key'", "class='message'", "</html>");
        assertThat(page).doesNotContain("NaN").doesNotContain("null");
    }

    private static Set<Property> broken(Faults faults, RestartPolicy restarts) {
        Set<Property> broken = EnumSet.noneOf(Property.class);
        results(faults, restarts)
                .forEach(result -> result.violations().forEach(violation -> broken.add(violation.property())));
        return broken;
    }

    private static List<SimulationResult> results(Faults faults, RestartPolicy restarts) {
        return LongStream.range(0, 60)
                .mapToObj(seed -> Plan.of(seed, 3))
                .map(plan -> Simulation.of(plan.with(faults)
                        .with(plan.config().toBuilder().restarts(restarts).build())))
                .toList();
    }
}
