package io.holdfast.testkit.contract;

import static io.holdfast.testkit.contract.Attempt.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.Reply;
import io.holdfast.servers.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A contract for every {@link LockNode}: a test class for an implementation extends this class and provides the node.
 *
 * <p>Every test uses its own resource, so that one node can serve all tests. The fencing tokens are close to the node's
 * wall clock in microseconds, as clients propose them.
 */
public abstract class LockNodeContract extends AttemptsContract {

    private static final Duration LONG = Duration.ofMinutes(30);
    private static final Duration MEDIUM = Duration.ofMinutes(15);
    private static final Duration SHORT = Duration.ofMinutes(5);
    /** Longer than any reply takes, and shorter than the differences between the ttls above. */
    private static final Duration SLACK = Eventually.BOUND;

    LockNodeContract(TestedNode on) {
        super(on);
    }

    @Test
    void acquire_heldByAnother_isRefusedWithTimeLeftAndFenceAndMark() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(MEDIUM));
        Reply.Refused refused = refused(attempt(2).acquire(LONG));
        assertThat(refused.timeLeft()).isGreaterThan(MEDIUM.minus(SLACK)).isLessThanOrEqualTo(MEDIUM);
        assertThat(refused.fence()).isEqualTo(fence(1));
        // Marks that differ from node to node would look like a split vote.
        assertThat(refused.holder()).isEqualTo(holder.owner().mark());
    }

    /** A late command of a lease that has ended must not replace the note of the next holder. */
    @Test
    void annotate_leaseHasEnded_keepsTheNoteOfTheNextHolder() {
        Attempt ended = attempt(1);
        assertGranted(ended.acquire(MEDIUM));
        assertThat(annotate(ended, "the first")).isTrue();
        on.expireNow(resource);
        Attempt next = attempt(2);
        assertGranted(next.acquire(MEDIUM));
        assertThat(annotate(next, "the next")).isTrue();
        NodeLockStatus.Note shown = note();

        assertThat(annotate(ended, "late")).isFalse();
        assertThat(annotate(ended, "")).isFalse();

        assertThat(note()).isEqualTo(shown);
    }

    private NodeLockStatus.Note note() {
        return Eventually.result(on.node().admin().inspect(resource)).note();
    }

    private boolean annotate(Attempt holder, String text) {
        Claim claim = Claim.acquire(resource, holder.owner(), MEDIUM, holder.fence());
        return Eventually.result(on.node().admin().annotate(claim, text));
    }

    @Test
    void acquire_heldByAnother_changesNothing() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(MEDIUM));
        refused(attempt(9).acquire(LONG));
        assertTimeLeft(holder, MEDIUM);
        assertGranted(holder.release());
        assertGranted(attempt(5).acquire(MEDIUM));
    }

    @Test
    void acquire_againByItsOwner_isGrantedAndKeepsTheTimeLeft() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(MEDIUM));
        assertGranted(holder.acquire(SHORT));
        assertTimeLeft(holder, MEDIUM);
        assertGranted(holder.acquire(LONG));
        assertTimeLeft(holder, MEDIUM);
    }

    @Test
    void acquire_againByItsOwnerWithAGreaterFence_keepsTheFirstFence() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(MEDIUM));
        assertGranted(holder.withFence(fence(7)).acquire(MEDIUM));
        assertThat(refused(attempt(2).acquire(MEDIUM)).fence()).isEqualTo(fence(1));
    }

    @Test
    void acquire_fenceEqualToTheAccepted_isStale() {
        assertGranted(attempt(3).acquire(MEDIUM));
        on.expireNow(resource);
        assertStale(attempt(3).acquire(MEDIUM), fence(3));
    }

    @Test
    void acquire_fenceBelowTheAccepted_isStaleAndLeavesTheLockFree() {
        assertGranted(attempt(3).acquire(MEDIUM));
        on.expireNow(resource);
        assertStale(attempt(2).acquire(MEDIUM), fence(3));
        assertFree();
        assertGranted(attempt(4).acquire(MEDIUM));
    }

    @Test
    void acquire_heldByAnotherAndFenceStale_isRefused() {
        assertGranted(attempt(3).acquire(MEDIUM));
        refused(attempt(2).acquire(MEDIUM));
    }

    @Test
    void acquire_fenceWithMoreDigits_isGreater() {
        FencingToken nines = new FencingToken(999_999_999_999_999L);
        assertGranted(Attempt.fresh(on.node(), resource, nines).acquire(MEDIUM));
        on.expireNow(resource);
        assertGranted(Attempt.fresh(on.node(), resource, new FencingToken(nines.value() + 1))
                .acquire(MEDIUM));
        on.expireNow(resource);
        assertStale(Attempt.fresh(on.node(), resource, nines).acquire(MEDIUM), new FencingToken(nines.value() + 1));
    }

    @Test
    void acquire_fenceInTheFarFuture_isAheadAndLeavesTheLockFree() {
        Reply reply = Attempt.fresh(on.node(), resource, inTheFuture(Duration.ofHours(1)))
                .acquire(MEDIUM);
        assertThat(reply).isInstanceOf(Reply.Ahead.class);
        assertThat(((Reply.Ahead) reply).present().value())
                .isBetween(firstFence - micros(SLACK), firstFence + 2 * micros(SLACK));
        assertFree();
        assertGranted(attempt(1).acquire(MEDIUM));
    }

    @Test
    void acquire_fenceOfAFastClock_isGranted() {
        assertGranted(Attempt.fresh(on.node(), resource, inTheFuture(Duration.ofSeconds(4)))
                .acquire(MEDIUM));
    }

    @Test
    void release_fenceInTheFarFuture_blocksNoClaim() {
        refused(Attempt.fresh(on.node(), resource, inTheFuture(Duration.ofDays(1)))
                .release());
        assertGranted(attempt(1).acquire(MEDIUM));
    }

    /** A handle may contain any fence. */
    @Test
    void release_greatestFence_isRefusedAndBlocksNoClaim() {
        refused(Attempt.fresh(on.node(), resource, FencingToken.GREATEST).release());
        assertGranted(attempt(1).acquire(MEDIUM));
    }

    @Test
    void acquire_afterTheTtl_isGrantedToAnother() {
        assertGranted(attempt(1).acquire(Duration.ofMillis(20)));
        on.letTimePass(Duration.ofMillis(25));
        assertGranted(attempt(2).acquire(MEDIUM));
    }

    @Test
    void acquire_anotherResourceIsHeld_isGranted() {
        assertGranted(attempt(2).acquire(MEDIUM));
        Attempt elsewhere = Attempt.fresh(on.node(), resource + ":other", fence(1));
        assertGranted(elsewhere.acquire(MEDIUM));
    }

    @Test
    void acquire_resourceWithSpecialCharacters_isGranted() {
        String odd = resource + " {a}{b} }{ * \"ü\" \u20ac \n";
        Attempt attempt = Attempt.fresh(on.node(), odd, fence(1));
        assertGranted(attempt.acquire(MEDIUM));
        refused(Attempt.fresh(on.node(), odd, fence(2)).acquire(MEDIUM));
        assertGranted(attempt.extend(LONG));
        assertGranted(attempt.release());
    }

    @Test
    void refused_timePasses_reportsLessTimeLeft() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(MEDIUM));
        Duration before = holder.timeLeftOfHolder();
        on.letTimePass(Duration.ofMillis(20));
        assertThat(holder.timeLeftOfHolder()).isLessThanOrEqualTo(before.minusMillis(19));
    }

    @Test
    void extend_longer_lastsForTheNewTtl() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(SHORT));
        assertGranted(holder.extend(LONG));
        assertTimeLeft(holder, LONG);
    }

    @Test
    void extend_shorter_isGrantedAndShortensNothing() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(MEDIUM));
        assertGranted(holder.extend(SHORT));
        assertTimeLeft(holder, MEDIUM);
    }

    @Test
    void extend_absent_isRefusedAndCreatesNothing() {
        assertThat(refused(attempt(1).extend(MEDIUM)).timeLeft()).isZero();
        assertFree();
    }

    @Test
    void extend_expired_isRefusedAndCreatesNothing() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(MEDIUM));
        on.expireNow(resource);
        assertThat(refused(holder.extend(MEDIUM)).timeLeft()).isZero();
        assertFree();
    }

    @Test
    void extend_heldByAnother_isRefusedAndChangesNothing() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(MEDIUM));
        Reply.Refused refused = refused(attempt(2).extend(LONG));
        assertThat(refused.timeLeft()).isGreaterThan(MEDIUM.minus(SLACK)).isLessThanOrEqualTo(MEDIUM);
        assertThat(refused.fence()).isEqualTo(fence(1));
        refused(attempt(2).extend(SHORT));
        assertTimeLeft(holder, MEDIUM);
        assertGranted(holder.extend(MEDIUM));
    }

    @Test
    void extend_manyInOneBatch_repliesToEachSeparately() {
        List<Attempt> holders = IntStream.range(0, 250)
                .mapToObj(i -> Attempt.fresh(on.node(), resource + ":" + i, fence(1)))
                .toList();
        holders.forEach(holder -> assertGranted(holder.acquire(SHORT)));
        assertGranted(holders.get(120).release());
        List<Claim> extensions = new ArrayList<>();
        holders.forEach(holder -> extensions.add(holder.extension(LONG)));
        extensions.set(7, Attempt.fresh(on.node(), resource + ":7", fence(9)).extension(LONG));

        List<Reply> replies = Attempt.replies(on.node().askAll(extensions));

        assertThat(refused(replies.remove(120)).timeLeft()).isZero();
        assertThat(refused(replies.remove(7)).timeLeft()).isPositive().isLessThanOrEqualTo(SHORT);
        assertThat(replies).containsOnly(Reply.GRANTED);
        assertTimeLeft(holders.get(249), LONG);
        assertThat(holders.get(120).timeLeftOfHolder()).isZero();
    }

    @Test
    void release_twice_isRefusedTheSecondTime() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(MEDIUM));
        assertGranted(holder.release());
        assertThat(refused(holder.release()).timeLeft()).isZero();
    }

    @Test
    void release_heldByAnother_isRefusedAndLeavesTheLock() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(MEDIUM));
        Reply.Refused refused = refused(attempt(2).release());
        assertThat(refused.timeLeft()).isGreaterThan(MEDIUM.minus(SLACK)).isLessThanOrEqualTo(MEDIUM);
        assertTimeLeft(holder, MEDIUM);
        assertGranted(holder.extend(MEDIUM));
    }

    @Test
    void release_beforeItsAcquireArrives_makesTheAcquireStale() {
        Attempt late = attempt(1);
        assertThat(refused(late.release()).timeLeft()).isZero();
        assertFree();
        assertStale(late.acquire(MEDIUM), fence(1).next());
        assertFree();
    }

    @Test
    void release_own_makesACopyOfItsAcquireStale() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(MEDIUM));
        assertGranted(holder.release());
        assertFree();
        assertStale(holder.acquire(MEDIUM), fence(1));
    }

    @Test
    void release_whileAnotherHolds_makesItsAcquireStale() {
        Attempt holder = attempt(1);
        Attempt late = attempt(2);
        assertGranted(holder.acquire(MEDIUM));
        refused(late.release());
        assertGranted(holder.release());
        assertStale(late.acquire(MEDIUM), fence(2).next());
    }

    @Test
    void release_sealed_allowsLaterAttempts() {
        refused(attempt(1).release());
        assertGranted(attempt(2).acquire(MEDIUM));
    }

    @Test
    void release_olderAttempt_doesNotLowerTheFence() {
        assertGranted(attempt(5).acquire(MEDIUM));
        refused(attempt(1).release());
        on.expireNow(resource);
        assertStale(attempt(3).acquire(MEDIUM), fence(5));
    }

    private FencingToken inTheFuture(Duration duration) {
        return new FencingToken(firstFence + micros(duration));
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    private static void assertTimeLeft(Attempt attempt, Duration ttl) {
        assertThat(attempt.timeLeftOfHolder()).isGreaterThan(ttl.minus(SLACK)).isLessThanOrEqualTo(ttl);
    }
}
