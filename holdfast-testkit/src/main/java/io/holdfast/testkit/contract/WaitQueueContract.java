package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A contract for the wait queue of a {@link LockNode} that sends notifications, in addition to {@link
 * LockNodeContract}.
 */
public abstract class WaitQueueContract {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final String LISTENING = "listening";
    /** An inbox that no client listens to. */
    private static final String ABANDONED = "abandoned";

    private final String resource = "wait-queue:" + UUID.randomUUID();
    private final Queue<WakeUp> wakeUps = new ConcurrentLinkedQueue<>();
    private long number;

    /** Returns the node under test, ready to vote; the same node throughout a test. */
    protected abstract LockNode node();

    /** Lets at least this much time pass for the node. Only called with milliseconds. */
    protected abstract void letTimePass(Duration duration);

    /** Returns the node's wall clock in microseconds, accurate to a few seconds. */
    protected abstract long clockMicros();

    @BeforeEach
    void listen() {
        number = clockMicros() & ~1L;
        node().listen(LISTENING, wakeUps::add);
    }

    @Test
    void release_waiterIsQueued_isNotifiedWithTheFence() {
        Claim holder = granted(claim());
        refused(claim().withTicket(ticket(LISTENING, 1)));

        ask(holder.release());

        assertNotified(WakeUp.reserved(resource, holder.greatestFence()));
    }

    @Test
    void release_waiterIsQueued_reservesTheLock() {
        Claim holder = granted(claim());
        refused(claim().withTicket(ticket(LISTENING, 1)));
        ask(holder.release());

        assertThat(refused(claim()).timeLeft()).isBetween(MOMENT, WakeUp.RESERVATION);
        granted(claim().withTicket(ticket(LISTENING, 1)));
    }

    @Test
    void release_notifiedWaiterDoesNotClaim_lockIsFreeAfterTheReservation() {
        Claim holder = granted(claim());
        refused(claim().withTicket(ticket(LISTENING, 1)));
        ask(holder.release());

        letTimePass(WakeUp.RESERVATION);

        granted(claim());
    }

    @Test
    void release_firstWaiterDoesNotListen_notifiesTheNext() {
        Claim holder = granted(claim());
        refused(claim().withTicket(ticket(LISTENING, 2)));
        refused(claim().withTicket(ticket(ABANDONED, 1)));

        ask(holder.release());

        assertNotified(WakeUp.reserved(resource, holder.greatestFence()));
    }

    @Test
    void release_queuedAttempt_leavesTheQueue() {
        Claim holder = granted(claim());
        Claim waiting = claim().withTicket(ticket(LISTENING, 1));
        refused(waiting);
        ask(waiting.release());

        ask(holder.release());

        granted(claim());
        assertThat(wakeUps).isEmpty();
    }

    @Test
    void releaseAndRequeue_queuedAttempt_staysQueued() {
        Claim holder = granted(claim());
        Claim waiting = claim().withTicket(ticket(LISTENING, 1));
        refused(waiting);
        ask(waiting.releaseAndRequeue());

        ask(holder.release());

        refused(claim());
    }

    @Test
    void releaseAndRequeue_holder_isQueuedAndNotified() {
        Claim holder = granted(claim()).withTicket(ticket(LISTENING, 1));

        ask(holder.releaseAndRequeue());

        assertNotified(WakeUp.reserved(resource, holder.greatestFence()));
        refused(claim());
    }

    @Test
    void release_notifiedWaiter_freesTheLock() {
        Claim holder = granted(claim());
        Claim waiting = claim().withTicket(ticket(LISTENING, 1));
        refused(waiting);
        ask(holder.release());

        ask(waiting.release());

        granted(claim());
    }

    @Test
    void acquire_queuedAttempt_leavesTheQueue() {
        Claim holder = granted(claim());
        refused(claim().withTicket(ticket(LISTENING, 1)));
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

    private Claim claim() {
        number += 100;
        return Claim.acquire(resource, Owner.fresh(RANDOM), TTL, new FencingToken(number));
    }

    @Test
    void acquireShared_exclusiveWaiterIsQueued_isRefused() {
        granted(claim().withMode(LockMode.SHARED));
        refused(claim().withTicket(ticket(LISTENING, 1)));

        refused(claim().withMode(LockMode.SHARED));
    }

    @Test
    void acquireShared_exclusiveWaiterIsGone_isGranted() {
        granted(claim().withMode(LockMode.SHARED));
        refused(claim().withTicket(ticket(ABANDONED, 1)));

        granted(claim().withMode(LockMode.SHARED));
    }

    @Test
    void release_firstWaiterIsShared_otherSharedClaimsAreGranted() {
        Claim holder = granted(claim());
        WaitTicket shared = new WaitTicket(LISTENING, number, false, LockMode.SHARED);
        refused(claim().withMode(LockMode.SHARED).withTicket(shared));

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
        refused(claim().withTicket(ticket(LISTENING, 1)));

        ask(two.release());
        assertThat(wakeUps).isEmpty();
        ask(one.release());

        assertNotified(WakeUp.reserved(resource, two.greatestFence().next()));
    }

    private static WaitTicket ticket(String inbox, long position) {
        return new WaitTicket(inbox, position, false, LockMode.EXCLUSIVE);
    }

    private Claim granted(Claim claim) {
        assertThat(ask(claim)).isEqualTo(Reply.GRANTED);
        return claim;
    }

    private Reply.Refused refused(Claim claim) {
        return Attempt.refused(ask(claim));
    }

    private void assertNotified(WakeUp wake) {
        eventually("the client receives " + wake, () -> {
            letTimePass(MOMENT);
            return wakeUps.contains(wake);
        });
    }

    private Reply ask(Claim claim) {
        return node().ask(claim)
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }
}
