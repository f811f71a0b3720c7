package io.holdfast.simulation;

import static io.holdfast.simulation.Stage.LEASE;
import static io.holdfast.simulation.Stage.LOCK;
import static io.holdfast.simulation.Stage.MOMENT;
import static io.holdfast.simulation.Stage.ONCE;
import static io.holdfast.simulation.Stage.QUARANTINE;
import static io.holdfast.simulation.Stage.RENEWED;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.lease.LeaseState;
import io.holdfast.node.Claim;
import io.holdfast.simulation.load.FencedResource;
import io.holdfast.simulation.plan.Network;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.SimulatedNode;
import io.holdfast.simulation.world.Violations;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Adversarial scenarios; the number is that of the row in {@code docs/evidence/scenarios.txt}. Where theory expects a
 * violation because an assumption is broken, the test requires one.
 */
class ScenarioTest {

    private static final Duration BRIEF = Duration.ofMillis(500);
    private static final Duration BEYOND_LEASE = LEASE.plusSeconds(1);
    /** An idle node is probed every 5 s. */
    private static final Duration BEYOND_QUARANTINE = LEASE.plusSeconds(8);

    private static final LockOptions PATIENT =
            ONCE.toBuilder().waitLimit(Duration.ofMinutes(2)).build();

    /** Every request and every reply arrives twice, and in any order. */
    @Test
    void row5to7and9_everythingTwiceAndInDisorder_nothingIsGrantedTwiceOrLeft() {
        Stage stage = Stage.of(3);
        SimulatedClient client = stage.client();
        stage.world().become(new Network(Duration.ofMillis(2), Duration.ofMillis(2), 0, 0, 1, 1));
        for (int i = 0; i < 200; i++) {
            stage.release(stage.hold(client));
        }
        stage.assertNothingLeft();
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row23_clockOfOneNodeIsSetBack_othersGoOn() {
        Stage stage = Stage.of(3);
        SimulatedClient gone = stage.client();
        stage.hold(gone);
        gone.kill();
        stage.node(0).time().stepWallClock(Duration.ofHours(-1));
        stage.pass(BEYOND_LEASE);

        assertThat(stage.node(0).memory().ownerOf(LOCK)).isNotNull();
        assertThat(stage.hold(stage.client()).state()).isEqualTo(LeaseState.HELD);
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row24_nodesClocksAreFasterThanTheDrift_safeWithinItAndTwoHoldBeyondIt() {
        Stage slightly = Stage.of(List.of(1.005, 1.005, 1.005), QUARANTINE);
        slightly.hold(slightly.client());
        slightly.ask(slightly.client(), PATIENT);
        slightly.pass(BEYOND_LEASE);
        assertThat(slightly.broken()).isEmpty();

        Stage slewing = Stage.of(List.of(1.08, 1.08, 1.08), QUARANTINE);
        slewing.hold(slewing.client());
        // The keys expire after 92.6 % of the lease, and the holder relies on it for 94 %.
        slewing.pass(LEASE.multipliedBy(93).dividedBy(100).minus(MOMENT));
        slewing.ask(slewing.client(), PATIENT);
        slewing.pass(BEYOND_LEASE);
        assertThat(slewing.broken()).contains(Property.EXCLUSION).doesNotContain(Property.TOKEN_ORDER);
    }

    @Test
    void row31_nodeCrashesDuringTheQuarantineOfAnother_nothingIsGrantedUntilOneIsBack() {
        Stage stage = Stage.of(3);
        SimulatedClient client = stage.client();
        Lease before = stage.hold(client);
        stage.node(0).crash();
        stage.node(0).start(false);
        stage.pass(Duration.ofSeconds(1));
        stage.node(1).crash();
        stage.node(1).start(false);
        stage.release(before);
        stage.assertRefused(client);

        stage.pass(BEYOND_QUARANTINE);

        assertThat(stage.hold(client).fencingToken().isAbove(before.fencingToken()))
                .isTrue();
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row33_allForgetAndClocksStandIn_tokensGrowIfTheClocksAreRight() {
        assertThat(tokensAfterAllForget(Duration.ofSeconds(-4))).doesNotContain(Property.TOKEN_ORDER);
        assertThat(tokensAfterAllForget(Duration.ofHours(-1))).contains(Property.TOKEN_ORDER);
    }

    private static Set<Property> tokensAfterAllForget(Duration wrong) {
        Stage stage = Stage.of(3);
        SimulatedClient first = stage.client();
        SimulatedClient second = stage.client();
        second.time().stepWallClock(wrong);
        stage.release(stage.hold(first));
        stage.cut(first);
        stage.world().nodes().forEach(SimulatedNode::flush);
        stage.pass(BEYOND_QUARANTINE.plusSeconds(2));
        stage.hold(second);
        return stage.broken();
    }

    @Test
    void row34_claimIsInFlightAcrossARestart_itIsLost() {
        Stage stage = Stage.of(3);
        SimulatedClient client = stage.client();
        client.link(0).requests().close();
        stage.ask(client, ONCE);
        stage.pass(Duration.ofMillis(10));
        stage.node(0).crash();
        stage.node(0).start(false);

        client.link(0).requests().open(false);
        stage.pass(BRIEF);

        assertThat(stage.node(0).memory().ownerOf(LOCK)).isNull();
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row42_aMajorityIsFlushedDuringAHold_theHolderIsToldAndNobodyElseGetsIt() {
        Stage stage = Stage.of(3);
        SimulatedClient client = stage.client();
        Lease lease = stage.hold(client, RENEWED);
        stage.node(0).flush();
        stage.node(1).flush();
        stage.assertRefused(stage.client());

        stage.pass(Duration.ofSeconds(5));

        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(stage.broken()).isEmpty();
    }

    /** Of a thousand waiters in ten processes, ten are in the wait queue. */
    @Test
    void row62_aThousandWait_tenAreQueuedAndEachIsServed() {
        Stage stage = Stage.of(3);
        Lease held = stage.hold(stage.client());
        int[] turns = new int[1];
        for (int i = 0; i < 10; i++) {
            SimulatedClient client = stage.client();
            for (int k = 0; k < 100; k++) {
                stage.ask(client, PATIENT).thenAccept(lease -> {
                    turns[0]++;
                    lease.releaseAsync();
                });
            }
        }
        stage.pass(BRIEF);
        assertThat(stage.node(0).memory().waitQueue(LOCK)).hasSize(10);

        held.releaseAsync();
        stage.pass(Duration.ofSeconds(5));

        assertThat(turns[0]).isEqualTo(1_000);
        assertThat(stage.node(0).memory().waitQueue(LOCK)).isEmpty();
        assertThat(stage.broken()).isEmpty();
    }

    /**
     * The head of the wait queue is stopped when it is notified, and its connections stay: that costs one reservation.
     */
    @Test
    void row63_headOfTheQueueHangs_theNextIsGrantedAfterTheStandingTtl() {
        Stage stage = Stage.of(5);
        Lease held = stage.hold(stage.client());
        SimulatedClient first = stage.client();
        CompletableFuture<Lease> hanging = stage.ask(first, PATIENT);
        stage.pass(Duration.ofMillis(10));
        CompletableFuture<Lease> next = stage.ask(stage.client(), PATIENT);
        stage.pass(Duration.ofMillis(10));
        first.time().stop();

        held.releaseAsync();
        stage.pass(Claim.STANDING_TTL.minusMillis(10));
        assertThat(next).isNotDone();
        stage.pass(Duration.ofMillis(50));

        assertThat(next).isCompleted();
        assertThat(hanging).isNotDone();
        assertThat(stage.broken()).isEmpty();
    }

    /** Two nodes do not know the order of arrival, since the first waiter could not reach them; the others suffice. */
    @Test
    void row61_queuesDiffer_theFirstOfTheMajorityIsGranted() {
        Stage stage = Stage.of(5);
        Lease held = stage.hold(stage.client());
        SimulatedClient early = stage.client();
        early.link(0).requests().close();
        early.link(1).requests().close();
        CompletableFuture<Lease> first = stage.ask(early, PATIENT);
        stage.pass(Duration.ofMillis(100));
        CompletableFuture<Lease> second = stage.ask(stage.client(), PATIENT);
        stage.pass(Duration.ofMillis(10));
        assertThat(stage.node(0).memory().waitQueue(LOCK)).hasSize(1);
        assertThat(stage.node(4).memory().waitQueue(LOCK)).hasSize(2);

        held.releaseAsync();
        stage.pass(Duration.ofMillis(10));

        assertThat(first).isCompleted();
        assertThat(second).isNotDone();
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row69_callerChangesItsMindAtAnyMoment_nothingIsLeft() {
        for (int micros = 0; micros < 2_000; micros += 50) {
            Stage stage = Stage.of(3);
            CompletableFuture<Lease> asked = stage.ask(stage.client(), ONCE);
            stage.pass(Duration.ofNanos(micros * 1_000L));
            if (!asked.cancel(true)) {
                asked.join().releaseAsync();
            }
            stage.pass(BRIEF);
            stage.assertNothingLeft();
            assertThat(stage.broken()).isEmpty();
        }
    }

    @Test
    void row71_olderTokenAfterANewerOne_isRefusedAndTheNewerGoesOn() {
        FencedResource resource = new FencedResource(new Violations(new VirtualTime()));

        assertThat(resource.write("r", 34)).isTrue();
        assertThat(resource.write("r", 33)).isFalse();
        assertThat(resource.write("r", 34)).isTrue();
    }
}
