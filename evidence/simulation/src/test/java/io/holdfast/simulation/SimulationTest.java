package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.RestartPolicy;
import io.holdfast.node.Claim;
import io.holdfast.simulation.plan.Faults;
import io.holdfast.simulation.plan.Plan;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.SimulatedNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random runs: nothing breaks while the assumptions hold; otherwise only the violations that theory predicts occur. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class SimulationTest {

    /** The profile {@code evidence} simulates more seeds. */
    private static final boolean EVIDENCE = Boolean.getBoolean("holdfast.evidence");

    private static final long SEEDS = EVIDENCE ? 4 : 2;
    /** Theory predicts a violation, and already the first seed has it. */
    private static final long SEEDS_OUTSIDE = EVIDENCE ? 4 : 2;

    private static final long SEEDS_OF_EVERY_METHOD = 2;
    /** Already this seed contains each action, also those that few runs contain. */
    private static final long FIRST_SEED_OF_EVERY_METHOD = 1;

    static IntStream sizes() {
        return EVIDENCE ? IntStream.of(1, 3, 5) : IntStream.of(1, 3);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void run_faultsInsideTheAssumptions_breaksNothing(int nodes) {
        Score score = Batch.of(1_000_000, SEEDS).run(nodes);

        assertThat(score.examples()).isEmpty();
        assertThat(score.granted()).isGreaterThan(SEEDS * 50);
    }

    /** From one node to three, and back, from three to five, and from three to three others. */
    @ParameterizedTest
    @CsvSource({"3, 1", "1, 3", "5, 3", "3, 3"})
    void run_nodesAreChanged_breaksNothing(int present, int previous) {
        Score score = Batch.of(0, SEEDS).changingFrom(previous).run(present);

        assertThat(score.examples()).isEmpty();
        assertThat(score.granted()).isGreaterThan(SEEDS * 50);
    }

    @Test
    void run_nodesAreChangedWithoutFaults_isDoneSeveralTimes() {
        SimulationResult result = Simulation.of(Plan.of(2, 3).changing(1).with(Faults.NONE));

        assertThat(result.violations()).isEmpty();
        assertThat(result.changes()).isGreaterThanOrEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void run_noFaults_breaksNothing(int nodes) {
        SimulationResult result = Simulation.of(Plan.of(1, nodes).with(Faults.NONE));

        assertThat(result.violations()).isEmpty();
        assertThat(result.granted()).isGreaterThan(20);
    }

    @Test
    void run_samePlanWithEveryMethod_isTheSameToTheLastMessage() {
        Timeline first = new Timeline();
        Timeline second = new Timeline();
        SimulationResult result = Simulation.of(Plan.of(3, 3).withEverything(), first);
        Simulation.of(Plan.of(3, 3).withEverything(), second);

        assertThat(result.violations()).isEmpty();
        assertThat(first.lines().toList()).isEqualTo(second.lines().toList());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    @Tag("evidence")
    void run_usersCallEveryMethod_nothingBreaks(int nodes) {
        HandedOn handedOn = new HandedOn();
        List<SimulationResult> results = LongStream.range(
                        FIRST_SEED_OF_EVERY_METHOD, FIRST_SEED_OF_EVERY_METHOD + SEEDS_OF_EVERY_METHOD)
                .mapToObj(seed -> Simulation.of(Plan.of(seed, nodes).withEverything(), handedOn))
                .toList();

        assertThat(results).allMatch(result -> result.violations().isEmpty());
        assertThat(results.stream().mapToLong(SimulationResult::granted).sum())
                .isGreaterThan(SEEDS_OF_EVERY_METHOD * 100);
        assertHandedOn(handedOn);
    }

    /** Ensures that the runs contain blocked calls and resumed and detached leases. */
    private static void assertHandedOn(HandedOn handedOn) {
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

    @Test
    void run_claimIsSent_wasAskedBeforeAndOncePerRound() {
        Asking asking = new Asking();
        Simulation.of(Plan.of(1, 3).with(Faults.NONE), asking);

        assertThat(asking.sentUnasked).isZero();
        assertThat(asking.asked).isPositive().isLessThanOrEqualTo(asking.sent / 2);
    }

    /** Counts the events from which most checkers learn of a claim. */
    private static final class Asking implements Observer {

        private @Nullable Claim last;
        private int asked;
        private int sent;
        private int sentUnasked;

        @Override
        public void asked(SimulatedClient client, Claim claim) {
            asked++;
            last = claim;
        }

        @Override
        public void sent(SimulatedClient client, SimulatedNode node, Claim claim) {
            sent++;
            sentUnasked += claim.equals(last) ? 0 : 1;
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
        Faults stepping = Faults.NONE.with(Faults.Kind.NODE_STEP, Duration.ofSeconds(2));

        assertThat(broken(stepping, RestartPolicy.QUARANTINE))
                .contains(Property.EXCLUSION)
                .doesNotContain(Property.TOKEN_ORDER);
    }

    @Test
    void run_nodesEvictLocks_twoHold() {
        Faults evicting = Faults.NONE.with(Faults.Kind.EVICTION, Duration.ofSeconds(2));

        assertThat(results(evicting, RestartPolicy.QUARANTINE).anyMatch(SimulationTest::twoHold))
                .isTrue();
    }

    /** The policy {@code appendfsync everysec} after a loss of power, declared durable. */
    @Test
    void run_nodesForgetAndAreDeclaredDurable_twoHold() {
        Faults forgetting = Faults.NONE.withCrash(Duration.ofSeconds(1), 1);

        assertThat(results(forgetting, RestartPolicy.DURABLE).anyMatch(SimulationTest::twoHold))
                .isTrue();
    }

    private static boolean twoHold(SimulationResult result) {
        return result.violations().stream().anyMatch(violation -> violation.property() == Property.EXCLUSION);
    }

    /** Without fencing, each of these writes would have changed the resource of another holder. */
    @Test
    void run_holdersArePausedBeyondTheirLease_theirWritesAreRefused() {
        Faults pausing = Faults.NONE.withPause(Duration.ofSeconds(2), Duration.ofSeconds(20));

        List<SimulationResult> results =
                results(pausing, RestartPolicy.QUARANTINE).toList();

        assertThat(results).allMatch(result -> result.violations().isEmpty());
        assertThat(results.stream().mapToLong(SimulationResult::refused).sum()).isPositive();
    }

    private static Set<Property> broken(Faults faults, RestartPolicy restarts) {
        Set<Property> broken = EnumSet.noneOf(Property.class);
        results(faults, restarts)
                .forEach(result -> result.violations().forEach(violation -> broken.add(violation.property())));
        return broken;
    }

    /** Returns the results of the runs, each of which is carried out when it is read. */
    private static Stream<SimulationResult> results(Faults faults, RestartPolicy restarts) {
        return LongStream.range(0, SEEDS_OUTSIDE)
                .mapToObj(seed -> Plan.of(seed, 3))
                .map(plan -> Simulation.of(plan.with(faults)
                        .with(plan.config().toBuilder().restarts(restarts).build())));
    }
}
