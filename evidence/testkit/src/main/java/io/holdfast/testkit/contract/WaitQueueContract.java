package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static io.holdfast.servers.Eventually.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.Reply;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.WakeUp;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A contract for the wait queue of a {@link LockNode} that sends notifications, in addition to {@link
 * LockNodeContract}.
 */
@Execution(ExecutionMode.SAME_THREAD)
public abstract class WaitQueueContract {

    private static final SecureRandom RANDOM = new SecureRandom();
    static final Duration TTL = Duration.ofSeconds(60);
    static final Duration MOMENT = Duration.ofMillis(1);
    /** The time for which a lock is retained: longer than the replies to some requests take. */
    private static final Duration KEEP = Duration.ofMillis(500);

    static final String LISTENING = "listening";
    /** An inbox that no client listens to. */
    static final String ABANDONED = "abandoned";

    final TestedNode on;
    final String resource = "wait-queue:" + UUID.randomUUID();
    private final Queue<WakeUp> wakeUps = new ConcurrentLinkedQueue<>();
    private long number;

    WaitQueueContract(TestedNode on) {
        this.on = on;
    }

    @BeforeEach
    void listen() {
        number = on.clockMicros() & ~1L;
        on.node().listen(LISTENING, wakeUps::add);
    }

    @Test
    void release_waiterIsQueued_isNotifiedWithTheFence() {
        Claim holder = granted(claim());
        queued(ticket(LISTENING, 1));

        ask(holder.release());

        assertNotified(WakeUp.reserved(resource, holder.greatestFence()));
    }

    @Test
    void release_waiterIsQueued_reservesTheLock() {
        Claim holder = granted(claim());
        queued(ticket(LISTENING, 1));
        ask(holder.release());

        assertThat(refused(claim()).timeLeft()).isBetween(MOMENT, WakeUp.RESERVATION);
        granted(claim().withTicket(ticket(LISTENING, 1)));
    }

    @Test
    void release_notifiedWaiterDoesNotClaim_lockIsFreeAfterTheReservation() {
        Claim holder = granted(claim());
        queued(ticket(LISTENING, 1));
        ask(holder.release());

        on.letTimePass(WakeUp.RESERVATION);

        granted(claim());
    }

    @Test
    void release_firstWaiterDoesNotListen_notifiesTheNext() {
        Claim holder = granted(claim());
        queued(ticket(LISTENING, 2));
        queued(ticket(ABANDONED, 1));

        ask(holder.release());

        assertNotified(WakeUp.reserved(resource, holder.greatestFence()));
    }

    @Test
    void release_queuedAttempt_leavesTheQueue() {
        Claim holder = granted(claim());
        Claim waiting = queued(ticket(LISTENING, 1));
        ask(waiting.release());

        ask(holder.release());

        granted(claim());
        assertThat(wakeUps).isEmpty();
    }

    @Test
    void release_requeuedWaiter_staysQueued() {
        Claim holder = granted(claim());
        Claim waiting = queued(ticket(LISTENING, 1));
        ask(waiting.release().withRequeue(true));

        ask(holder.release());

        refused(claim());
    }

    @Test
    void release_requeuedHolder_isQueuedAndNotified() {
        Claim holder = granted(claim()).withTicket(ticket(LISTENING, 1));

        ask(holder.release().withRequeue(true));

        assertNotified(WakeUp.reserved(resource, holder.greatestFence()));
        refused(claim());
    }

    @Test
    void release_notifiedWaiter_freesTheLock() {
        Claim holder = granted(claim());
        Claim waiting = queued(ticket(LISTENING, 1));
        ask(holder.release());

        ask(waiting.release());

        granted(claim());
    }

    @Test
    void acquire_queuedAttempt_leavesTheQueue() {
        Claim holder = granted(claim());
        queued(ticket(LISTENING, 1));
        ask(holder.release());
        Claim notified = granted(claim().withTicket(ticket(LISTENING, 1))).withTicket(null);

        ask(notified.release());

        granted(claim());
    }

    @Test
    void acquire_fairAndQueueIsEmpty_isGranted() {
        granted(claim().withTicket(new WaitTicket(LISTENING, 1, true, LockMode.EXCLUSIVE)));
    }

    @Test
    void acquire_blockOfTokens_acceptsTheGreatest() {
        Claim holder = granted(claim().withFollowers(16));

        assertThat(refused(claim()).fence()).isEqualTo(holder.greatestFence());
        assertThat(holder.greatestFence().value()).isEqualTo(holder.fence().value() + 32);
    }

    /** Queues a waiter without a standing claim: no node accepts so small a fence. */
    private Claim queued(WaitTicket ticket) {
        Claim claim = Claim.acquire(resource, Owner.fresh(RANDOM), TTL, new FencingToken(2))
                .withMode(ticket.mode())
                .withTicket(ticket);
        refused(claim);
        return claim;
    }

    final Claim claim() {
        number += 100;
        return Claim.acquire(resource, Owner.fresh(RANDOM), TTL, new FencingToken(number));
    }

    @Test
    void acquireShared_exclusiveWaiterIsQueued_isRefused() {
        granted(claim().withMode(LockMode.SHARED));
        queued(ticket(LISTENING, 1));

        refused(claim().withMode(LockMode.SHARED));
    }

    @Test
    void acquireShared_exclusiveWaiterIsGone_isGranted() {
        granted(claim().withMode(LockMode.SHARED));
        queued(ticket(ABANDONED, 1));

        granted(claim().withMode(LockMode.SHARED));
    }

    @Test
    void release_firstWaiterIsShared_otherSharedClaimsAreGranted() {
        Claim holder = granted(claim());
        WaitTicket shared = new WaitTicket(LISTENING, number, false, LockMode.SHARED);
        queued(shared);

        ask(holder.release());

        assertNotified(WakeUp.reserved(resource, holder.greatestFence()));
        granted(claim().withMode(LockMode.SHARED));
        refused(claim());
        granted(claim().withMode(LockMode.SHARED).withTicket(shared));
    }

    @Test
    void release_lastSharedHold_notifiesTheExclusiveWaiter() {
        Claim one = granted(claim().withMode(LockMode.SHARED));
        Claim two = granted(claim().withMode(LockMode.SHARED));
        queued(ticket(LISTENING, 1));

        ask(two.release());
        assertThat(wakeUps).isEmpty();
        ask(one.release());

        assertNotified(WakeUp.reserved(resource, two.greatestFence().next()));
    }

    @Test
    void retain_waiterIsQueued_learnsTheEndAndHasNoReservation() {
        Claim holder = granted(claim());
        queued(ticket(LISTENING, 1));

        granted(holder.retain(KEEP));

        assertThat(refused(claim()).timeLeft()).isBetween(MOMENT, KEEP);
        assertNotified(WakeUp.retained(resource, holder.greatestFence(), KEEP));
        on.letTimePass(KEEP.plusMillis(5));
        granted(claim());
    }

    @Test
    void retain_firstWaiterDoesNotListen_theNextLearnsTheEnd() {
        Claim holder = granted(claim());
        queued(ticket(LISTENING, 2));
        queued(ticket(ABANDONED, 1));

        granted(holder.retain(KEEP));

        assertNotified(WakeUp.retained(resource, holder.greatestFence(), KEEP));
    }

    /** The waiter has a position until it claims the lock, so a fair claim does not overtake it afterwards. */
    @Test
    void retain_waiterIsQueued_keepsItsPosition() {
        Claim holder = granted(claim());
        queued(ticket(LISTENING, 1));
        granted(holder.retain(KEEP));
        on.letTimePass(KEEP.plusMillis(5));

        refused(claim().withTicket(new WaitTicket("other", 2, true, LockMode.EXCLUSIVE)));

        assertNotified(WakeUp.reserved(resource, holder.greatestFence()));
    }

    @Test
    void retainShared_excludesExclusiveClaimsOnly() {
        Claim one = granted(claim().withMode(LockMode.SHARED));
        Claim two = granted(claim().withMode(LockMode.SHARED));

        granted(one.retain(KEEP));

        refused(one.extend(TTL));
        ask(two.release());
        assertThat(refused(claim()).timeLeft()).isBetween(MOMENT, KEEP);
        Claim three = granted(claim().withMode(LockMode.SHARED));
        ask(three.release());
        assertThat(refused(claim()).timeLeft()).isBetween(MOMENT, KEEP);
        on.letTimePass(KEEP.plusMillis(5));
        granted(claim());
    }

    @Test
    void retainShared_longerThanTheLock_makesItLastAsLong() {
        Claim holder = granted(claim().withMode(LockMode.SHARED));

        granted(holder.retain(TTL.multipliedBy(2)));

        assertThat(refused(claim()).timeLeft()).isGreaterThan(TTL);
    }

    @Test
    void retainShared_ofAnExclusiveHold_admitsSharedWaiters() {
        Claim holder = granted(claim());
        WaitTicket shared = new WaitTicket(LISTENING, 1, false, LockMode.SHARED);
        queued(shared);

        granted(holder.withMode(LockMode.SHARED).retain(TTL));

        assertNotified(WakeUp.reserved(resource, holder.greatestFence().next()));
        granted(claim().withMode(LockMode.SHARED).withTicket(shared));
        refused(claim());
    }

    static WaitTicket ticket(String inbox, long position) {
        return new WaitTicket(inbox, position, false, LockMode.EXCLUSIVE);
    }

    final Claim granted(Claim claim) {
        assertThat(ask(claim)).isEqualTo(Reply.GRANTED);
        return claim;
    }

    final Reply.Refused refused(Claim claim) {
        return Attempt.refused(ask(claim));
    }

    final void assertNotified(WakeUp wake) {
        eventually("the client receives " + wake, () -> {
            on.letTimePass(MOMENT);
            return wakeUps.contains(wake);
        });
    }

    final Reply ask(Claim claim) {
        return result(on.node().ask(claim));
    }
}
