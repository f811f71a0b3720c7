package io.holdfast.simulation;

import static io.holdfast.simulation.Stage.LEASE;
import static io.holdfast.simulation.Stage.LOCK;
import static io.holdfast.simulation.Stage.MOMENT;
import static io.holdfast.simulation.Stage.ONCE;
import static io.holdfast.simulation.Stage.QUARANTINE;
import static io.holdfast.simulation.Stage.RENEWED;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.node.Claim;
import io.holdfast.node.QuorumConfig;
import io.holdfast.simulation.load.FencedResource;
import io.holdfast.simulation.plan.Network;
import io.holdfast.simulation.world.Link;
import io.holdfast.simulation.world.Property;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.SimulatedNode;
import io.holdfast.simulation.world.Violations;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * Adversarial scenarios; the number is that of the row in {@code docs/evidence/scenarios.md}. Where theory expects a
 * violation because an assumption is broken, the test requires one.
 */
class ScenarioTest {

    private static final Duration BRIEF = Duration.ofMillis(500);
    private static final Duration BEYOND_LEASE = LEASE.plusSeconds(1);
    /** An idle node is probed every 5 s. */
    private static final Duration BEYOND_QUARANTINE = LEASE.plusSeconds(8);

    private static final LockOptions PATIENT =
            ONCE.toBuilder().waitLimit(Duration.ofMinutes(2)).build();
    private static final HoldfastOptions DURABLE =
            QUARANTINE.toBuilder().restarts(RestartPolicy.DURABLE).build();

    @Test
    void row2_aMinorityIsDown_itIsGranted() {
        Stage stage = Stage.of(3);
        SimulatedClient client = stage.client();
        stage.node(0).crash();

        assertThat(stage.hold(client).state()).isEqualTo(LeaseState.HELD);
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row3_aMajorityIsDown_nothingIsGrantedUntilItIsBack() {
        Stage stage = Stage.of(3);
        SimulatedClient client = stage.client();
        stage.node(0).crash();
        stage.node(1).crash();
        stage.assertRefused(client);

        stage.node(0).start(true);
        stage.node(1).start(true);
        stage.pass(BEYOND_QUARANTINE);

        assertThat(stage.hold(client).state()).isEqualTo(LeaseState.HELD);
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row4_splitVote_everybodyGetsItInTheEnd() {
        Stage stage = Stage.of(3);
        List<CompletableFuture<Lease>> asked = List.of(stage.client(), stage.client(), stage.client()).stream()
                .map(client -> stage.ask(client, PATIENT))
                .toList();
        asked.forEach(one -> one.thenAccept(Lease::releaseAsync));

        stage.pass(Duration.ofSeconds(5));

        assertThat(asked).allMatch(CompletableFuture::isDone);
        stage.assertNothingLeft();
        assertThat(stage.broken()).isEmpty();
    }

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
    void row8_claimsArriveAfterTheClientGaveUp_theyAreGoneAtOnce() {
        Stage stage = Stage.of(3);
        SimulatedClient client = stage.client();
        client.links().forEach(link -> link.requests().close());
        stage.assertRefused(client);
        stage.pass(Duration.ofSeconds(2));

        stage.join(client, false);
        stage.pass(BRIEF);

        stage.assertNothingLeft();
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row10_releaseIsLostEverywhere_itIsSentAgain() {
        Stage stage = Stage.of(3);
        SimulatedClient client = stage.client();
        Lease lease = stage.hold(client);
        client.links().forEach(link -> link.requests().close());
        stage.release(lease);

        stage.join(client, true);
        stage.pass(Duration.ofSeconds(4));

        stage.assertNothingLeft();
    }

    @Test
    void row12_extensionArrivesAfterTheRelease_itCreatesNothing() {
        Stage stage = Stage.of(3);
        SimulatedClient client = stage.client();
        Lease lease = stage.hold(client, RENEWED);
        client.links().forEach(link -> link.requests().close());
        lease.extendAsync(LEASE).exceptionally(failure -> false);
        stage.release(lease);

        stage.join(client, false);
        stage.pass(BRIEF);

        stage.assertNothingLeft();
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row13_nodeRestartedAndAdmittedDuringAHold_keepsTheLockAgain() {
        Stage stage = Stage.of(3);
        SimulatedClient client = stage.client();
        Lease lease = stage.hold(client, RENEWED);
        stage.node(2).crash();
        stage.node(2).start(false);
        stage.pass(Duration.ofSeconds(5));
        assertThat(stage.node(2).memory().ownerOf(LOCK)).isNull();

        stage.pass(LEASE.multipliedBy(2));

        assertThat(stage.node(2).memory().ownerOf(LOCK)).isEqualTo(lease.owner());
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row15_17_processIsStoppedBeforeTheDecision_itDoesNotHold() {
        Stage stage = Stage.of(3);
        SimulatedClient stopped = stage.client();
        CompletableFuture<Lease> asked = stage.ask(stopped, ONCE);
        stopped.time().stop();
        stage.pass(BEYOND_LEASE);
        Lease other = stage.hold(stage.client());

        stopped.time().goOn();
        stage.pass(BRIEF);

        assertThat(asked.handle(
                        (lease, failure) -> lease == null || !lease.state().isValid()))
                .isCompletedWithValue(true);
        assertThat(other.state()).isEqualTo(LeaseState.HELD);
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row18_19_processIsStoppedBeyondItsLease_itsWriteIsRefused() {
        Stage stage = Stage.of(3);
        SimulatedClient stopped = stage.client();
        Lease lease = stage.hold(stopped);
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        stopped.time().stop();
        stage.pass(BEYOND_LEASE);
        Lease next = stage.hold(stage.client());
        assertThat(stage.writes(next)).isTrue();

        stopped.time().goOn();

        assertThat(stage.writes(lease)).isFalse();
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row20_machineIsSuspended_leaseIsLost() {
        Stage stage = Stage.of(3);
        SimulatedClient client = stage.client();
        Lease lease = stage.hold(client);
        client.time().stop();
        stage.pass(BEYOND_LEASE);
        client.time().skipMonotonicClock(BEYOND_LEASE);
        client.time().goOn();

        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(stage.hold(stage.client()).state()).isEqualTo(LeaseState.HELD);
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row21_clientsClockIsSetForwardAndBack_leasesAreGivenUpEarlyAndTokensGrow() {
        Stage stage = Stage.of(3);
        SimulatedClient client = stage.client();
        Lease first = stage.hold(client);
        client.time().stepWallClock(Duration.ofHours(1));
        assertThat(first.state()).isEqualTo(LeaseState.LOST);
        stage.release(first);

        Lease second = stage.hold(client);
        client.time().stepWallClock(Duration.ofHours(-2));
        assertThat(second.state()).isEqualTo(LeaseState.HELD);
        stage.release(second);

        assertThat(stage.hold(client).fencingToken().isAbove(second.fencingToken()))
                .isTrue();
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row22_clockOfOneNodeStepsWhereTwoOfThreeKeepTheLock_twoHoldAndTheResourceTells() {
        Stage stage = Stage.of(3);
        Lease first = stage.holdOnly(stage.client(), ONCE, 0, 1);
        stage.node(1).time().stepWallClock(BEYOND_LEASE);

        Lease second = stage.hold(stage.client());

        assertThat(stage.writes(second)).isTrue();
        assertThat(stage.writes(first)).isFalse();
        assertThat(stage.broken()).containsExactly(Property.EXCLUSION);
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
    void row25_allNodesClocksStep_twoHoldAndTheTokenGrows() {
        Stage stage = Stage.of(3);
        Lease first = stage.hold(stage.client());
        stage.world().nodes().forEach(node -> node.time().stepWallClock(BEYOND_LEASE));

        Lease second = stage.hold(stage.client());

        assertThat(second.fencingToken().isAbove(first.fencingToken())).isTrue();
        assertThat(stage.broken()).containsExactly(Property.EXCLUSION);
    }

    @Test
    void row26_41_54_nodeStartsEmpty_nobodyElseGetsTheLock() {
        Stage stage = Stage.of(3);
        Lease held = stage.holdOnly(stage.client(), ONCE, 0, 1);
        stage.node(0).crash();
        stage.node(0).start(false);

        stage.assertRefused(stage.client());
        assertThat(held.state()).isEqualTo(LeaseState.HELD);
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row27_39_nodeStartsEmptyAndVotesAtOnce_twoHold() {
        Stage stage = Stage.of(3, DURABLE);
        stage.holdOnly(stage.client(), ONCE, 0, 1);
        stage.node(0).crash();
        stage.node(0).start(false);

        stage.hold(stage.client());

        assertThat(stage.broken()).contains(Property.EXCLUSION);
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
    void row32_allForgetAndStrict_nothingIsGrantedUntilAnOperatorSaysSo() {
        Stage stage = Stage.of(3, QUARANTINE.toBuilder().strictFences(true).build());
        SimulatedClient client = stage.client();
        stage.world().nodes().forEach(SimulatedNode::flush);
        stage.pass(Duration.ofHours(1));
        stage.assertRefused(client);

        stage.world().nodes().forEach(node -> node.admit(new QuorumConfig(3, LEASE)));

        assertThat(stage.hold(client).state()).isEqualTo(LeaseState.HELD);
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
    void row35_severalClientsWatch_theNodeIsAdmittedOnceAndNotEarly() {
        Stage stage = Stage.of(3);
        stage.client();
        stage.client();
        SimulatedClient client = stage.client();
        stage.node(0).crash();
        stage.node(0).start(false);
        stage.pass(LEASE);
        assertThat(stage.node(0).memory().votes()).isFalse();

        stage.pass(BEYOND_QUARANTINE.minus(LEASE));

        assertThat(stage.node(0).memory().votes()).isTrue();
        stage.hold(client);
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row37_38_nodeStartsWithItsMemory_waitsUnlessItIsDeclaredDurable() {
        Stage guarded = Stage.of(3);
        guarded.node(0).crash();
        guarded.node(0).start(true);
        assertThat(guarded.node(0).memory().votes()).isFalse();

        Stage durable = Stage.of(3, DURABLE);
        durable.holdOnly(durable.client(), ONCE, 0, 1);
        durable.node(0).crash();
        durable.node(0).start(true);
        durable.assertRefused(durable.client());
        assertThat(durable.broken()).isEmpty();
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

    @Test
    void row43_keyIsDeletedOnOneNode_safeWhereAllKeptIt() {
        Stage all = Stage.of(3);
        all.hold(all.client());
        all.node(0).memory().evict();
        all.assertRefused(all.client());
        assertThat(all.broken()).isEmpty();

        Stage two = Stage.of(3);
        two.holdOnly(two.client(), ONCE, 0, 1);
        two.node(0).memory().evict();
        two.hold(two.client());
        assertThat(two.broken()).containsExactly(Property.EXCLUSION);
    }

    @Test
    void row44_45_keysAreEvictedOnAMajority_twoHoldAndTheTokenGrows() {
        Stage stage = Stage.of(3);
        Lease first = stage.hold(stage.client());
        stage.node(0).memory().evict();
        stage.node(1).memory().evict();

        Lease second = stage.hold(stage.client());

        assertThat(second.fencingToken().isAbove(first.fencingToken())).isTrue();
        assertThat(stage.broken()).containsExactly(Property.EXCLUSION);
    }

    @Test
    void row47_48_aMajorityHangsBeyondTheLease_whatItCarriesOutThenIsTakenBack() {
        Stage stage = Stage.of(3);
        SimulatedClient client = stage.client();
        stage.node(0).freeze();
        stage.node(1).freeze();
        stage.assertRefused(client);
        stage.pass(BEYOND_LEASE);

        stage.node(0).thaw();
        stage.node(1).thaw();
        stage.pass(BRIEF);

        stage.assertNothingLeft();
        assertThat(stage.hold(client).state()).isEqualTo(LeaseState.HELD);
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row50_51_repliesAreLostWithTheirConnections_nothingIsLeft() {
        Stage stage = Stage.of(3);
        SimulatedClient client = stage.client();
        client.links().forEach(link -> link.replies().close());
        stage.ask(client, ONCE);
        stage.pass(Duration.ofMillis(10));
        client.links().forEach(Link::reset);
        stage.join(client, true);

        stage.pass(Duration.ofSeconds(4));

        stage.assertNothingLeft();
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row56_57_confirmationsComeAfterTheEnd_theLeaseStaysLostAndIsToldOnce() {
        Stage stage = Stage.of(3);
        SimulatedClient client = stage.client();
        Lease lease = stage.hold(client, RENEWED);
        CompletionStage<Loss> lost = lease.lossFuture();
        client.links().forEach(link -> link.replies().close());
        stage.pass(BEYOND_LEASE);
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);

        stage.join(client, false);
        stage.pass(BRIEF);

        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(lost).isCompletedWithValueMatching(loss -> loss.reason() == LossReason.QUORUM_UNREACHABLE);
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row58_holdLimitIsReached_theNextHolderHasAGreaterToken() {
        Stage stage = Stage.of(3);
        Lease limited = stage.hold(
                stage.client(),
                RENEWED.toBuilder().holdLimit(LEASE.multipliedBy(2)).build());
        CompletionStage<Loss> lost = limited.lossFuture();
        CompletableFuture<Lease> next = stage.ask(stage.client(), PATIENT);

        stage.pass(LEASE.multipliedBy(3));

        assertThat(lost).isCompletedWithValueMatching(loss -> loss.reason() == LossReason.HOLD_LIMIT);
        assertThat(next)
                .isCompletedWithValueMatching(lease -> lease.fencingToken().isAbove(limited.fencingToken()));
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row59_holderIsKilled_theNextOneWaitsForTheLeaseAndNoLonger() {
        Stage stage = Stage.of(3);
        SimulatedClient gone = stage.client();
        stage.hold(gone, RENEWED);
        gone.kill();
        CompletableFuture<Lease> next = stage.ask(stage.client(), PATIENT);

        stage.pass(LEASE.minusSeconds(1));
        assertThat(next).isNotDone();
        stage.pass(Duration.ofSeconds(2));

        assertThat(next).isCompleted();
        assertThat(stage.broken()).isEmpty();
    }

    /** The notification of the waiter is lost; the waiter asks by itself, within its longest retry delay. */
    @Test
    void row60_61_callsAreLost_theWaiterAsksByItself() {
        Stage stage = Stage.of(3);
        Lease held = stage.hold(stage.client());
        SimulatedClient waiter = stage.client();
        CompletableFuture<Lease> next = stage.ask(waiter, PATIENT);
        stage.pass(BRIEF);
        waiter.links().forEach(link -> link.replies().close());

        held.releaseAsync();
        stage.pass(Duration.ofMillis(20));
        waiter.links().forEach(link -> link.replies().open(true));
        assertThat(next).isNotDone();
        stage.pass(PATIENT.retryDelayLimit().plus(Duration.ofSeconds(2)));

        assertThat(next).isCompleted();
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
    void row64_twoProposeTheSameNumber_oneIsGrantedAtMost() {
        Stage stage = Stage.of(3);
        SimulatedClient first = stage.client();
        SimulatedClient second = stage.client();
        CompletableFuture<Lease> one = stage.ask(first, PATIENT);
        CompletableFuture<Lease> two = stage.ask(second, PATIENT);
        one.thenAccept(Lease::releaseAsync);
        two.thenAccept(Lease::releaseAsync);

        stage.pass(Duration.ofSeconds(5));

        assertThat(one).isCompleted();
        assertThat(two).isCompleted();
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row65_clientsClockIsInTheFarFuture_itGoesByTheNodesClock() {
        Stage stage = Stage.of(3);
        SimulatedClient future = stage.client();
        future.time().stepWallClock(Duration.ofDays(27_000));

        Lease lease = stage.hold(future);

        long present = stage.node(0).time().now().wallMicros();
        assertThat(lease.fencingToken().value()).isLessThan(present + 10_000_000);
        assertThat(stage.broken()).isEmpty();
    }

    @Test
    void row66_nodesClocksStepAndFencesExpire_tokensGrowAllTheSame() {
        Stage stage = Stage.of(3);
        SimulatedClient client = stage.client();
        SimulatedClient behind = stage.client();
        behind.time().stepWallClock(Duration.ofMinutes(-30));
        stage.release(stage.hold(client));
        stage.world().nodes().forEach(node -> node.time().stepWallClock(Duration.ofHours(1)));
        assertThat(stage.node(0).memory().fenceCount()).isZero();

        stage.hold(behind);

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
