package io.holdfast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.LockMode;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.Reply;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.WakeUp;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A contract for the standing claims of a {@link LockNode}, in addition to {@link WaitQueueContract}. */
public abstract class StandingClaimContract extends WaitQueueContract {

    private static final Duration TOO_OLD = Duration.ofMillis(550);

    StandingClaimContract(TestedNode on) {
        super(on);
    }

    @Test
    void release_claimStands_isGrantedForAShortTime() {
        Claim holder = granted(claim());
        Claim standing = standing(claim());

        ask(holder.release());

        Reply.Refused refused = refused(claim());
        granted(standing.extend(TTL));
        assertThat(refused.holder()).isEqualTo(standing.owner().mark());
        assertThat(refused.timeLeft()).isBetween(MOMENT, Claim.STANDING_TTL);
        assertThat(refused(claim()).timeLeft()).isGreaterThan(Claim.STANDING_TTL);
        assertNotified(WakeUp.granted(standing));
    }

    @Test
    void query_anotherHoldsTheLock_isRefused() {
        Claim holder = granted(claim());
        Claim standing = standing(claim());

        assertThat(refused(standing.query()).holder()).isEqualTo(holder.owner().mark());
        assertThat(refused(standing.query()).timeLeft()).isBetween(Claim.STANDING_TTL, TTL);
    }

    @Test
    void query_anotherHoldsTheLock_leavesTheStandingClaim() {
        Claim holder = granted(claim());
        Claim standing = standing(claim());

        refused(standing.query());
        ask(holder.release());

        assertNotified(WakeUp.granted(standing));
    }

    @Test
    void query_claimWasCarriedOut_isGranted() {
        Claim holder = granted(claim());
        Claim standing = standing(claim());
        ask(holder.release());

        granted(standing.query());
    }

    @Test
    void query_waiterWasNotified_isGranted() {
        Claim holder = granted(claim());
        Claim standing = standing(claim());
        ask(holder.withdraw());

        granted(standing.query());
        refused(claim().withTicket(ticket(ABANDONED, 2)));
        refused(claim().withTicket(ticket(ABANDONED, 2)).query());
    }

    @Test
    void query_waiterIsNotQueued_isGranted() {
        granted(claim());
        Claim standing = standing(claim());
        ask(standing.withdraw());

        granted(standing.query());
        granted(standing.withTicket(null).query());
    }

    @Test
    void query_lockIsFree_isGrantedAndStaysFree() {
        Claim waiting = claim().withTicket(ticket(LISTENING, 1));

        granted(waiting.query());
        granted(claim());
    }

    @Test
    void release_claimOfAShortLeaseStands_isGrantedForThatLease() {
        Claim holder = granted(claim());
        Duration lease = Claim.STANDING_TTL.minusMillis(100);
        Claim standing =
                Claim.acquire(resource, claim().owner(), lease, claim().fence()).withTicket(ticket(LISTENING, 1));
        refused(standing);

        ask(holder.release());

        assertThat(refused(claim()).timeLeft()).isBetween(MOMENT, lease);
        assertNotified(WakeUp.granted(standing));
    }

    @Test
    void release_claimStands_acceptsItsFences() {
        Claim holder = granted(claim());
        Claim standing = standing(claim().withFollowers(16));

        ask(holder.release());

        assertThat(refused(claim()).fence()).isEqualTo(standing.greatestFence());
    }

    @Test
    void release_claimIsOld_isNotified() {
        Claim holder = granted(claim());
        standing(claim());
        on.letTimePass(TOO_OLD);

        ask(holder.release());

        assertNotified(WakeUp.reserved(resource, holder.greatestFence()));
    }

    @Test
    void release_claimWasReplaced_carriesOutTheNewerOne() {
        Claim holder = granted(claim());
        standing(claim());
        Claim newer = standing(claim());

        ask(holder.release());

        assertNotified(WakeUp.granted(newer));
    }

    /** A withdrawal that arrives late concerns only its own attempt. */
    @Test
    void withdraw_newerClaimStands_isCarriedOut() {
        Claim holder = granted(claim());
        Claim older = standing(claim());
        Claim newer = standing(claim());
        ask(older.withdraw().withRequeue(true));

        ask(holder.release());

        assertNotified(WakeUp.granted(newer));
    }

    @Test
    void withdraw_claimStands_isNotCarriedOut() {
        Claim holder = granted(claim());
        Claim standing = standing(claim());
        ask(standing.withdraw());

        ask(holder.release());

        granted(claim());
    }

    @Test
    void withdraw_requeuedClaim_isNotified() {
        Claim holder = granted(claim());
        Claim standing = standing(claim());
        ask(standing.withdraw().withRequeue(true));

        ask(holder.release());

        assertNotified(WakeUp.reserved(resource, standing.greatestFence().next()));
    }

    /** A withdrawal may overtake its claim. */
    @Test
    void acquire_afterItsWithdrawal_doesNotStand() {
        Claim holder = granted(claim());
        Claim late = claim().withTicket(ticket(LISTENING, 1));
        ask(late.withdraw().withRequeue(true));
        refused(late);

        ask(holder.release());

        assertNotified(WakeUp.reserved(resource, late.greatestFence().next()));
    }

    /** Another attempt that fails seals itself with a greater number; the standing claim is still above all holders. */
    @Test
    void withdraw_ofALaterAttempt_doesNotEndTheClaim() {
        Claim holder = granted(claim());
        Claim standing = standing(claim());
        Claim later = claim();
        refused(later);
        ask(later.withdraw());

        ask(holder.release());

        assertNotified(WakeUp.granted(standing));
    }

    @Test
    void withdraw_ofAHold_carriesOutNothing() {
        Claim minority = granted(claim());
        standing(claim());

        ask(minority.withdraw());

        assertNotified(WakeUp.reserved(resource, minority.greatestFence()));
    }

    @Test
    void release_clientOfTheClaimIsGone_servesTheNext() {
        Claim holder = granted(claim());
        refused(claim().withTicket(ticket(ABANDONED, 1)));
        Claim next = claim().withTicket(ticket(LISTENING, 2));
        refused(next);

        ask(holder.release());

        assertNotified(WakeUp.granted(next));
    }

    @Test
    void release_claimStands_followingWaiterLearnsThatItIsNext() {
        Claim holder = granted(claim());
        Claim standing = standing(claim());
        refused(claim().withMode(LockMode.SHARED).withTicket(new WaitTicket(LISTENING, 2, false, LockMode.SHARED)));

        ask(holder.release());

        assertNotified(WakeUp.nextInQueue(resource, standing.greatestFence()));
    }

    @Test
    void release_sharedClaimStands_isGrantedShared() {
        Claim holder = granted(claim());
        Claim standing =
                claim().withMode(LockMode.SHARED).withTicket(new WaitTicket(LISTENING, 1, false, LockMode.SHARED));
        refused(standing);

        ask(holder.release());

        assertNotified(WakeUp.granted(standing));
        granted(claim().withMode(LockMode.SHARED));
        refused(claim());
    }

    @Test
    void release_ofTheLastShare_carriesOutTheExclusiveClaim() {
        Claim share = granted(claim().withMode(LockMode.SHARED));
        Claim standing = standing(claim());

        ask(share.release());

        assertNotified(WakeUp.granted(standing));
        refused(claim().withMode(LockMode.SHARED));
    }

    private Claim standing(Claim claim) {
        Claim waiting = claim.withTicket(ticket(LISTENING, 1));
        refused(waiting);
        return waiting;
    }
}
