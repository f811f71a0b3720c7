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

/** What every {@link LockNode} that wakes does for those who wait, beside {@link LockNodeContract}. */
public abstract class WaitQueueContract {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final String MINE = "mine";
    /** Nobody listens to it. */
    private static final String GONE = "gone";

    private final String resource = "line:" + UUID.randomUUID();
    private final Queue<WakeUp> canNotify = new ConcurrentLinkedQueue<>();
    private long number;

    /** The node under test, ready to vote; the same one throughout a test. */
    protected abstract LockNode node();

    /** Lets at least so much time pass for the node. Asked for milliseconds only. */
    protected abstract void letTimePass(Duration duration);

    /** The node's wall clock in microseconds, to within a few seconds. */
    protected abstract long clockMicros();

    @BeforeEach
    void listen() {
        number = clockMicros() & ~1L;
        node().listen(MINE, canNotify::add);
    }

    @Test
    void release_somebodyInLine_isCalledWithTheFence() {
        Claim holder = granted(claim());
        refused(claim().withTicket(ticket(MINE, 1)));

        ask(holder.release());

        assertTold(WakeUp.reserved(resource, holder.greatestFence()));
    }

    @Test
    void release_somebodyInLine_keepsTheLockForIt() {
        Claim holder = granted(claim());
        refused(claim().withTicket(ticket(MINE, 1)));
        ask(holder.release());

        assertThat(refused(claim()).timeLeft()).isBetween(MOMENT, WakeUp.RESERVATION);
        granted(claim().withTicket(ticket(MINE, 1)));
    }

    @Test
    void release_calledOneDoesNotCome_theLockIsFreeAfterTheReservation() {
        Claim holder = granted(claim());
        refused(claim().withTicket(ticket(MINE, 1)));
        ask(holder.release());

        letTimePass(WakeUp.RESERVATION);

        granted(claim());
    }

    @Test
    void release_firstInLineDoesNotHear_theNextIsCalled() {
        Claim holder = granted(claim());
        refused(claim().withTicket(ticket(MINE, 2)));
        refused(claim().withTicket(ticket(GONE, 1)));

        ask(holder.release());

        assertTold(WakeUp.reserved(resource, holder.greatestFence()));
    }

    @Test
    void release_ofAnAttemptInLine_leavesTheLine() {
        Claim holder = granted(claim());
        Claim waiting = claim().withTicket(ticket(MINE, 1));
        refused(waiting);
        ask(waiting.release());

        ask(holder.release());

        granted(claim());
        assertThat(canNotify).isEmpty();
    }

    @Test
    void stepBack_ofAnAttemptInLine_staysInLine() {
        Claim holder = granted(claim());
        Claim waiting = claim().withTicket(ticket(MINE, 1));
        refused(waiting);
        ask(waiting.releaseAndRequeue());

        ask(holder.release());

        refused(claim());
    }

    @Test
    void stepBack_ofTheHolder_isInLineAndCalled() {
        Claim holder = granted(claim()).withTicket(ticket(MINE, 1));

        ask(holder.releaseAndRequeue());

        assertTold(WakeUp.reserved(resource, holder.greatestFence()));
        refused(claim());
    }

    @Test
    void release_ofTheCalledOne_freesTheLock() {
        Claim holder = granted(claim());
        Claim waiting = claim().withTicket(ticket(MINE, 1));
        refused(waiting);
        ask(holder.release());

        ask(waiting.release());

        granted(claim());
    }

    @Test
    void acquire_ofWhoeverIsInLine_leavesTheLine() {
        Claim holder = granted(claim());
        refused(claim().withTicket(ticket(MINE, 1)));
        ask(holder.release());
        Claim called = granted(claim().withTicket(ticket(MINE, 1))).withTicket(null);

        ask(called.release());

        granted(claim());
    }

    @Test
    void acquire_fairAndNobodyIsBefore_isGranted() {
        granted(claim().withTicket(new WaitTicket(MINE, 1, true, LockMode.EXCLUSIVE)));
    }

    @Test
    void acquire_aBlockOfTokens_theGreatestIsAccepted() {
        Claim holder = granted(claim().withFollowers(16));

        assertThat(refused(claim()).fence()).isEqualTo(holder.greatestFence());
        assertThat(holder.greatestFence().value()).isEqualTo(holder.fence().value() + 32);
    }

    private Claim claim() {
        number += 100;
        return Claim.acquire(resource, Owner.fresh(RANDOM), TTL, new FencingToken(number));
    }

    @Test
    void acquireShared_oneWhoWantsItAloneIsInLine_waitsBehindThatOne() {
        granted(claim().withMode(LockMode.SHARED));
        refused(claim().withTicket(ticket(MINE, 1)));

        refused(claim().withMode(LockMode.SHARED));
    }

    @Test
    void acquireShared_oneWhoWantsItAloneHasGone_isGranted() {
        granted(claim().withMode(LockMode.SHARED));
        refused(claim().withTicket(ticket(GONE, 1)));

        granted(claim().withMode(LockMode.SHARED));
    }

    @Test
    void release_firstInLineWantsAShare_doesNotKeepTheLockFromOtherShares() {
        Claim holder = granted(claim());
        WaitTicket share = new WaitTicket(MINE, number, false, LockMode.SHARED);
        refused(claim().withMode(LockMode.SHARED).withTicket(share));

        ask(holder.release());

        assertTold(WakeUp.reserved(resource, holder.greatestFence()));
        granted(claim().withMode(LockMode.SHARED));
        refused(claim());
        granted(claim().withMode(LockMode.SHARED).withTicket(share));
    }

    @Test
    void release_lastShare_callsWhoWantsItAlone() {
        Claim one = granted(claim().withMode(LockMode.SHARED));
        Claim two = granted(claim().withMode(LockMode.SHARED));
        refused(claim().withTicket(ticket(MINE, 1)));

        ask(two.release());
        assertThat(canNotify).isEmpty();
        ask(one.release());

        assertTold(WakeUp.reserved(resource, two.greatestFence().next()));
    }

    private static WaitTicket ticket(String inbox, long place) {
        return new WaitTicket(inbox, place, false, LockMode.EXCLUSIVE);
    }

    private Claim granted(Claim claim) {
        assertThat(ask(claim)).isEqualTo(Reply.GRANTED);
        return claim;
    }

    private Reply.Refused refused(Claim claim) {
        return Attempt.refused(ask(claim));
    }

    private void assertTold(WakeUp wake) {
        eventually("it is told " + wake, () -> {
            letTimePass(MOMENT);
            return canNotify.contains(wake);
        });
    }

    private Reply ask(Claim claim) {
        return node().ask(claim)
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }
}
