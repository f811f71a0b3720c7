package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.NodeStatus;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limit of a wait, for a holder as well as for nodes that do not answer, and the rounds beyond it. */
@Execution(ExecutionMode.CONCURRENT)
class WaitLimitTest {

    private static final String LOCK = "a";
    private static final LockOptions TEN_SECONDS =
            LockOptions.builder().waitLimit(Duration.ofSeconds(10)).build();

    private static final LockOptions FOREVER =
            LockOptions.builder().waitLimit(LockOptions.FOREVER).build();

    private static final LockOptions ONCE =
            LockOptions.builder().waitLimit(Duration.ZERO).build();

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast client = client(1);

    @Test
    void acquire_nodesAreDown_isGrantedWhenTheyAreBack() {
        nodes.forEach(UnreliableNode::down);
        CompletableFuture<Lease> lease = ask(client, TEN_SECONDS);
        time.advance(Duration.ofSeconds(3));
        assertThat(lease).isNotDone();

        nodes.forEach(UnreliableNode::up);
        time.advance(Duration.ofSeconds(1));

        assertThat(lease).isCompleted();
    }

    @Test
    void acquire_nodesStayDown_endsAtTheLimit() {
        nodes.forEach(UnreliableNode::down);
        CompletableFuture<Lease> lease = ask(client, TEN_SECONDS);
        time.advance(Duration.ofSeconds(9));
        assertThat(lease).isNotDone();

        time.advance(Duration.ofSeconds(2));

        assertThat(Completed.failure(lease)).isInstanceOf(QuorumUnreachableException.class);
    }

    @Test
    void acquire_heldAndThenNodesDown_endsAtTheLimitOfBothTogether() {
        granted(client(2), LockOptions.DEFAULT);
        CompletableFuture<Lease> lease = ask(client, TEN_SECONDS);
        time.advance(Duration.ofSeconds(8));
        nodes.forEach(UnreliableNode::down);
        time.advance(Duration.ofMillis(1_900));
        assertThat(lease).isNotDone();

        time.advance(Duration.ofSeconds(1));

        assertThat(Completed.failure(lease)).isInstanceOf(QuorumUnreachableException.class);
    }

    /** A client that the servers reject would otherwise wait for ever, without a message. */
    @Test
    void acquire_onlyAnAdministratorCanHelp_endsAfterTenSeconds() {
        granted(client(2), LockOptions.DEFAULT);
        CompletableFuture<Lease> lease = ask(client, FOREVER);
        time.advance(Duration.ofMinutes(5));
        nodes.get(0).unfit("a right is missing");
        time.advance(Duration.ofMinutes(1));
        nodes.get(1).unfit("a right is missing");
        time.advance(Duration.ofSeconds(9));
        assertThat(lease).isNotDone();

        time.advance(Duration.ofSeconds(9));

        assertThat(Completed.failure(lease))
                .isInstanceOf(QuorumUnreachableException.class)
                .hasMessageContaining("a right is missing");
    }

    @Test
    void acquire_manyWaitersOfAClientAndOnlyAnAdministratorCanHelp_endTogether() {
        granted(client(2), LockOptions.DEFAULT);
        List<CompletableFuture<Lease>> waiting =
                IntStream.range(0, 5).mapToObj(i -> ask(client, FOREVER)).toList();
        time.advance(Duration.ofSeconds(1));
        nodes.forEach(node -> node.unfit("a right is missing"));

        time.advance(Duration.ofSeconds(15));

        assertThat(waiting)
                .allSatisfy(lease -> assertThat(Completed.failure(lease))
                        .isInstanceOf(QuorumUnreachableException.class)
                        .hasMessageContaining("a right is missing"));
    }

    /** A server that refuses a login often ends the connection before its reason arrives. */
    @Test
    void acquire_someRoundsFailForAnotherReason_endsAfterTenSecondsOfTheOthers() {
        granted(client(2), LockOptions.DEFAULT);
        CompletableFuture<Lease> lease = ask(client, FOREVER);
        for (int second = 0; second < 14; second++) {
            nodes.forEach(UnreliableNode::down);
            time.advance(Duration.ofMillis(100));
            nodes.forEach(node -> node.unfit("wrong password"));
            time.advance(Duration.ofSeconds(2));
        }

        assertThat(Completed.failure(lease)).isInstanceOf(QuorumUnreachableException.class);
    }

    /** Such as an administrator who changes the password of one server after the other. */
    @Test
    void acquire_nodesAreUnfitForMoments_waitsOn() {
        granted(client(2), LockOptions.DEFAULT);
        CompletableFuture<Lease> lease = ask(client, FOREVER);
        for (int change = 0; change < 5; change++) {
            nodes.forEach(node -> node.unfit("wrong password"));
            time.advance(Duration.ofSeconds(8));
            nodes.forEach(UnreliableNode::up);
            time.advance(Duration.ofSeconds(8));
        }

        assertThat(lease).isNotDone();
    }

    /** The client's machine was suspended until the lease was over. */
    @Test
    void acquire_grantCameTooLate_asksAgainWithinTheLimit() {
        nodes.forEach(node -> node.latency(Duration.ofMillis(5)));
        LockOptions options =
                TEN_SECONDS.toBuilder().waitLimit(Duration.ofMinutes(1)).build();
        CompletableFuture<Lease> lease = ask(client, options);

        time.stepWallClock(options.lease());
        time.advance(Duration.ofSeconds(2));

        assertThat(lease).isCompleted();
    }

    @Test
    void acquire_quarantineIsShorterThanTheLimit_isGrantedAtItsEnd() {
        CompletableFuture<Lease> lease = ask(clientOf(guarded()), FOREVER);
        time.advance(Duration.ofSeconds(65));
        assertThat(lease).isNotDone();

        time.advance(Duration.ofSeconds(5));

        assertThat(lease).isCompleted();
    }

    @Test
    void acquire_quarantineIsLongerThanTheLimit_endsAtTheLimitAndSaysWhenAMajorityVotes() {
        CompletableFuture<Lease> lease = ask(clientOf(guarded()), TEN_SECONDS);
        time.advance(Duration.ofSeconds(9));
        assertThat(lease).isNotDone();

        time.advance(Duration.ofSeconds(2));

        assertThat(Completed.failure(lease))
                .isInstanceOfSatisfying(
                        QuorumUnreachableException.class,
                        failure -> assertThat(failure.quorumExpectedIn())
                                .hasValueSatisfying(left ->
                                        assertThat(left).isBetween(Duration.ofSeconds(50), Duration.ofSeconds(60))));
    }

    @Test
    void tryAcquire_nodesInQuarantine_failsAtOnce() {
        CompletableFuture<Lease> lease = ask(clientOf(guarded()), ONCE);

        time.advance(Duration.ofMillis(1));

        assertThat(Completed.failure(lease)).isInstanceOf(QuorumUnreachableException.class);
    }

    /** A client that cannot probe the nodes cannot end their quarantine. */
    @Test
    void tryAcquire_quarantineThatThisClientCannotEnd_saysWhy() {
        List<UnreliableNode> guarded = guarded();
        guarded.forEach(UnreliableNode::mayNotProbe);
        Holdfast ofGuarded = clientOf(guarded);
        time.advance(Duration.ofSeconds(1));

        CompletableFuture<Lease> lease = ask(ofGuarded, ONCE);
        time.advance(Duration.ofSeconds(1));

        assertThat(Completed.failure(lease))
                .isInstanceOf(QuorumUnreachableException.class)
                .hasMessageContaining("may not probe");
        assertThat(ofGuarded.nodes()).extracting(NodeStatus::state).containsOnly(NodeStatus.State.REFUSED);
    }

    @Test
    void tryAcquire_aMajorityIsFrozen_failsWithinSixTenthsOfASecond() {
        nodes.subList(0, 2).forEach(node -> node.silent(true));
        CompletableFuture<Lease> lease = ask(client, ONCE);

        time.advance(Duration.ofMillis(600));

        assertThat(Completed.failure(lease)).isInstanceOf(QuorumUnreachableException.class);
    }

    /** The contender notices that the nodes do not answer; the waiters queued behind it use that information. */
    @Test
    void acquire_queuedWhileNodesAreDown_endsAtTheLimit() {
        nodes.forEach(UnreliableNode::down);
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        IntStream.range(0, 20).forEach(i -> waiting.add(ask(client, TEN_SECONDS)));

        time.advance(Duration.ofSeconds(11));

        assertThat(waiting)
                .allSatisfy(
                        lease -> assertThat(Completed.failure(lease)).isInstanceOf(QuorumUnreachableException.class));
    }

    /** Durations that do not fit into nanoseconds count as unlimited. */
    @Test
    void acquire_limitsBeyondNanoseconds_waits() {
        Duration endless = ChronoUnit.FOREVER.getDuration();
        granted(client(2), LockOptions.DEFAULT);
        LockOptions options = LockOptions.builder()
                .waitLimit(endless)
                .holdLimit(endless)
                .retryDelays(Duration.ofMillis(20), endless)
                .build();

        CompletableFuture<Lease> contending = ask(client, options);
        CompletableFuture<Lease> queued = ask(client, options);
        time.advance(Duration.ofMinutes(1));

        assertThat(contending).isNotDone();
        assertThat(queued).isNotDone();
        assertThat(options.waitLimit()).isEqualTo(LockOptions.FOREVER);
    }

    @Test
    void options_inWhateverOrder_areTheSame() {
        Duration timeout = Duration.ofMillis(200);
        Duration lease = Duration.ofSeconds(10);

        assertThat(LockOptions.builder().nodeTimeout(timeout).lease(lease).build())
                .isEqualTo(
                        LockOptions.builder().lease(lease).nodeTimeout(timeout).build());
        assertThat(LockOptions.builder()
                        .holdLimit(lease)
                        .lease(Duration.ofSeconds(5))
                        .build()
                        .holdLimit())
                .isEqualTo(lease);
    }

    /** Concurrent clients split the votes; one of them is granted the lock in the end. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 10})
    @Tag("evidence")
    void tryAcquire_manyClientsAtOnce_grantsOne(int clientCount) {
        Random random = new Random(clientCount);
        for (int round = 0; round < 200; round++) {
            String lock = "job-" + round;
            List<UnreliableNode> five = UnreliableNode.several(5, time);
            List<CompletableFuture<Lease>> asked = new ArrayList<>();
            for (int i = 0; i < clientCount; i++) {
                Holdfast one = Holdfast.forTesting(five, time, new Random(random.nextLong()));
                // Each client's requests reach the nodes in another order.
                five.forEach(node -> node.latency(Duration.ofNanos(1 + random.nextInt(1_000_000))));
                asked.add(one.lock(
                                lock,
                                LockOptions.builder().waitLimit(Duration.ZERO).build())
                        .acquireAsync());
            }
            time.advance(Duration.ofSeconds(10));

            assertThat(asked).allMatch(CompletableFuture::isDone);
            assertThat(asked.stream().filter(lease -> !lease.isCompletedExceptionally()))
                    .as("round " + round)
                    .hasSize(1);
        }
    }

    @Test
    void tryAcquire_votesStaySplit_endsAfterElevenRounds() {
        nodes.get(0).ask(Claim.acquire(LOCK, new Owner("x"), Duration.ofHours(1), new FencingToken(2)));
        nodes.get(1).ask(Claim.acquire(LOCK, new Owner("y"), Duration.ofHours(1), new FencingToken(4)));

        CompletableFuture<Lease> lease =
                ask(client, LockOptions.builder().waitLimit(Duration.ZERO).build());
        time.advance(Duration.ofSeconds(5));

        assertThat(Completed.failure(lease)).isInstanceOf(LockTimeoutException.class);
        assertThat(nodes.get(2).received(Claim.Action.ACQUIRE)).isEqualTo(11);
    }

    /** Their limits expire together, and a few rounds give all of them the reason. */
    @Test
    void acquire_tenThousandLimitsExpireTogether_costsFewRounds() {
        granted(client(2), LockOptions.DEFAULT);
        LockOptions limited =
                LockOptions.builder().waitLimit(Duration.ofSeconds(5)).build();
        List<CompletableFuture<Lease>> waiting =
                IntStream.range(0, 10_000).mapToObj(i -> ask(client, limited)).toList();
        time.advance(Duration.ofMillis(4_900));
        long before = nodes.get(0).received().size();

        time.advance(Duration.ofMillis(200));

        assertThat(nodes.get(0).received().size() - before).isLessThan(20);
        assertThat(waiting)
                .allSatisfy(lease -> assertThat(Completed.failure(lease)).isInstanceOf(LockTimeoutException.class));
    }

    /** Ten thousand threads that wake may starve the thread that reads the replies, just when the limits expire. */
    @Test
    void acquire_lastRoundIsSlow_reportsTheLaterReplies() {
        granted(client(2), LockOptions.DEFAULT);
        LockOptions limited =
                LockOptions.builder().waitLimit(Duration.ofSeconds(5)).build();
        CompletableFuture<Lease> contending = ask(client, limited);
        CompletableFuture<Lease> queued = ask(client, limited);
        time.advance(Duration.ofMillis(4_990));
        nodes.forEach(node -> node.latency(Duration.ofMillis(100)));

        time.advance(Duration.ofMillis(500));

        assertThat(List.of(contending, queued))
                .allSatisfy(lease -> assertThat(Completed.failure(lease)).isInstanceOf(LockTimeoutException.class));
    }

    @Test
    void acquire_nodesDoNotAnswerAtTheLimit_endsSoonAfterIt() {
        granted(client(2), LockOptions.DEFAULT);
        CompletableFuture<Lease> contending = ask(
                client, LockOptions.builder().waitLimit(Duration.ofSeconds(5)).build());
        time.advance(Duration.ofMillis(4_990));
        nodes.forEach(node -> node.silent(true));

        time.advance(Duration.ofSeconds(1));

        assertThat(Completed.failure(contending)).isInstanceOf(QuorumUnreachableException.class);
    }

    @Test
    void acquire_nodesNeverAnswered_endsWithoutAnotherRound() {
        nodes.forEach(node -> node.silent(true));
        CompletableFuture<Lease> contending = ask(
                client, LockOptions.builder().waitLimit(Duration.ofMillis(10)).build());

        time.advance(LockOptions.DEFAULT.nodeTimeout().plusMillis(1));

        assertThat(Completed.failure(contending)).isInstanceOf(QuorumUnreachableException.class);
    }

    @Test
    void acquire_limitEndsInTheQueue_reportsWhatTheContenderKnows() {
        granted(client(2), LockOptions.DEFAULT);
        ask(client, LockOptions.builder().waitLimit(Duration.ofMinutes(1)).build());
        CompletableFuture<Lease> queued = ask(
                client, LockOptions.builder().waitLimit(Duration.ofSeconds(5)).build());
        time.advance(Duration.ofMillis(4_999));
        long before = nodes.get(0).received().size();

        time.advance(Duration.ofMillis(1));

        assertThat(nodes.get(0).received()).hasSize((int) before);
        assertThat(timeout(queued).replies()).isNotEmpty();
        assertThat(timeout(queued).remainingHold()).isPresent();
    }

    /** The client has not asked the nodes for this waiter, and they would only name the client itself. */
    @Test
    void acquire_limitEndsWhileTheClientHoldsTheLock_reportsNoVotes() {
        granted(client, LockOptions.DEFAULT);
        CompletableFuture<Lease> queued = ask(
                client, LockOptions.builder().waitLimit(Duration.ofSeconds(5)).build());

        time.advance(Duration.ofSeconds(5));

        assertThat(timeout(queued).replies()).isEmpty();
        assertThat(timeout(queued).hasSingleHolder()).isTrue();
        assertThat(timeout(queued)).hasMessageContaining("held by another");
    }

    /** No round says yet whether the lock is held or the nodes are silent. */
    @Test
    void acquire_limitEndsInTheFirstRound_waitsForItsEnd() {
        nodes.forEach(node -> node.silent(true));
        ask(client, LockOptions.builder().waitLimit(Duration.ofMinutes(1)).build());
        CompletableFuture<Lease> queued = ask(
                client, LockOptions.builder().waitLimit(Duration.ofMillis(10)).build());

        time.advance(LockOptions.DEFAULT.nodeTimeout().plusMillis(10));

        assertThat(Completed.failure(queued)).isInstanceOf(QuorumUnreachableException.class);
    }

    /** The second one contends when the first one has ended, and has learnt nothing yet. */
    @Test
    void acquire_limitsEndWhileNodesAreSilent_noneReportsAHolder() {
        nodes.forEach(node -> node.silent(true));
        LockOptions limited =
                LockOptions.builder().waitLimit(Duration.ofMillis(100)).build();
        List<CompletableFuture<Lease>> waiting =
                IntStream.range(0, 5).mapToObj(i -> ask(client, limited)).toList();

        time.advance(Duration.ofSeconds(5));

        assertThat(waiting)
                .allSatisfy(
                        lease -> assertThat(Completed.failure(lease)).isInstanceOf(QuorumUnreachableException.class));
    }

    private static LockTimeoutException timeout(CompletableFuture<Lease> ended) {
        return (LockTimeoutException) Completed.failure(ended);
    }

    @Test
    void acquire_connectionWasReplaced_retriesSoon() {
        nodes.forEach(UnreliableNode::enableNotifications);
        granted(client(2), LockOptions.DEFAULT);
        ask(client, LockOptions.builder().waitLimit(Duration.ofHours(1)).build());
        time.advance(Duration.ofMillis(600));
        nodes.get(1).disableNotifications();
        time.advance(Duration.ofMillis(600));
        long before = nodes.get(0).received(Claim.Action.ACQUIRE);

        nodes.get(1).enableNotifications();
        time.advance(Duration.ofMillis(600));

        assertThat(nodes.get(0).received(Claim.Action.ACQUIRE)).isEqualTo(before + 1);
    }

    private static CompletableFuture<Lease> ask(Holdfast from, LockOptions options) {
        return from.lock(LOCK, options).acquireAsync();
    }

    private Lease granted(Holdfast from, LockOptions options) {
        CompletableFuture<Lease> lease = ask(from, options);
        time.settle();
        return Completed.value(lease);
    }

    private List<UnreliableNode> guarded() {
        return IntStream.range(0, 3)
                .mapToObj(i -> UnreliableNode.guarded("guarded-" + i, time))
                .toList();
    }

    private Holdfast clientOf(List<UnreliableNode> guarded) {
        return Holdfast.over(guarded, HoldfastOptions.DEFAULT, time, new Random(1));
    }

    private Holdfast client(long seed) {
        return Holdfast.forTesting(nodes, time, new Random(seed));
    }
}
