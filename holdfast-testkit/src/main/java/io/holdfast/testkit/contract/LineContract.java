package io.holdfast.testkit.contract;

import static io.holdfast.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.Access;
import io.holdfast.node.Claim;
import io.holdfast.node.FencingToken;
import io.holdfast.node.LockNode;
import io.holdfast.node.Owner;
import io.holdfast.node.Reply;
import io.holdfast.node.Ticket;
import io.holdfast.node.Wake;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link LockNode} that wakes does for those who wait, beside {@link LockNodeContract}. */
public abstract class LineContract {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final String MINE = "mine";
    /** Nobody listens to it. */
    private static final String GONE = "gone";

    private final String resource = "line:" + UUID.randomUUID();
    private final Queue<Wake> wakes = new ConcurrentLinkedQueue<>();
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
        node().listen(MINE, wakes::add);
    }

    @Test
    void release_somebodyInLine_isCalledWithTheFence() {
        Claim holder = granted(claim());
        refused(claim().with(ticket(MINE, 1)));

        ask(holder.release());

        assertTold(Wake.called(resource, holder.top()));
    }

    @Test
    void release_somebodyInLine_keepsTheLockForIt() {
        Claim holder = granted(claim());
        refused(claim().with(ticket(MINE, 1)));
        ask(holder.release());

        assertThat(refused(claim()).timeLeft()).isBetween(MOMENT, Wake.RESERVATION);
        granted(claim().with(ticket(MINE, 1)));
    }

    @Test
    void release_calledOneDoesNotCome_theLockIsFreeAfterTheReservation() {
        Claim holder = granted(claim());
        refused(claim().with(ticket(MINE, 1)));
        ask(holder.release());

        letTimePass(Wake.RESERVATION);

        granted(claim());
    }

    @Test
    void release_firstInLineDoesNotHear_theNextIsCalled() {
        Claim holder = granted(claim());
        refused(claim().with(ticket(MINE, 2)));
        refused(claim().with(ticket(GONE, 1)));

        ask(holder.release());

        assertTold(Wake.called(resource, holder.top()));
    }

    @Test
    void release_ofAnAttemptInLine_leavesTheLine() {
        Claim holder = granted(claim());
        Claim waiting = claim().with(ticket(MINE, 1));
        refused(waiting);
        ask(waiting.release());

        ask(holder.release());

        granted(claim());
        assertThat(wakes).isEmpty();
    }

    @Test
    void stepBack_ofAnAttemptInLine_staysInLine() {
        Claim holder = granted(claim());
        Claim waiting = claim().with(ticket(MINE, 1));
        refused(waiting);
        ask(waiting.stepBack());

        ask(holder.release());

        refused(claim());
    }

    @Test
    void stepBack_ofTheHolder_isInLineAndCalled() {
        Claim holder = granted(claim()).with(ticket(MINE, 1));

        ask(holder.stepBack());

        assertTold(Wake.called(resource, holder.top()));
        refused(claim());
    }

    @Test
    void release_ofTheCalledOne_freesTheLock() {
        Claim holder = granted(claim());
        Claim waiting = claim().with(ticket(MINE, 1));
        refused(waiting);
        ask(holder.release());

        ask(waiting.release());

        granted(claim());
    }

    @Test
    void acquire_ofWhoeverIsInLine_leavesTheLine() {
        Claim holder = granted(claim());
        refused(claim().with(ticket(MINE, 1)));
        ask(holder.release());
        Claim called = granted(claim().with(ticket(MINE, 1))).with(null);

        ask(called.release());

        granted(claim());
    }

    @Test
    void acquire_fairAndNobodyIsBefore_isGranted() {
        granted(claim().with(new Ticket(MINE, 1, true, Access.EXCLUSIVE)));
    }

    @Test
    void acquire_aBlockOfTokens_theGreatestIsAccepted() {
        Claim holder = granted(claim().reserving(16));

        assertThat(refused(claim()).fence()).isEqualTo(holder.top());
        assertThat(holder.top().value()).isEqualTo(holder.fence().value() + 32);
    }

    private Claim claim() {
        number += 100;
        return Claim.acquire(resource, Owner.fresh(RANDOM), TTL, new FencingToken(number));
    }

    @Test
    void acquireShared_oneWhoWantsItAloneIsInLine_waitsBehindThatOne() {
        granted(claim().withAccess(Access.SHARED));
        refused(claim().with(ticket(MINE, 1)));

        refused(claim().withAccess(Access.SHARED));
    }

    @Test
    void acquireShared_oneWhoWantsItAloneHasGone_isGranted() {
        granted(claim().withAccess(Access.SHARED));
        refused(claim().with(ticket(GONE, 1)));

        granted(claim().withAccess(Access.SHARED));
    }

    @Test
    void release_firstInLineWantsAShare_doesNotKeepTheLockFromOtherShares() {
        Claim holder = granted(claim());
        Ticket share = new Ticket(MINE, number, false, Access.SHARED);
        refused(claim().withAccess(Access.SHARED).with(share));

        ask(holder.release());

        assertTold(Wake.called(resource, holder.top()));
        granted(claim().withAccess(Access.SHARED));
        refused(claim());
        granted(claim().withAccess(Access.SHARED).with(share));
    }

    @Test
    void release_lastShare_callsWhoWantsItAlone() {
        Claim one = granted(claim().withAccess(Access.SHARED));
        Claim two = granted(claim().withAccess(Access.SHARED));
        refused(claim().with(ticket(MINE, 1)));

        ask(two.release());
        assertThat(wakes).isEmpty();
        ask(one.release());

        assertTold(Wake.called(resource, two.top().next()));
    }

    private static Ticket ticket(String inbox, long place) {
        return new Ticket(inbox, place, false, Access.EXCLUSIVE);
    }

    private Claim granted(Claim claim) {
        assertThat(ask(claim)).isEqualTo(Reply.GRANTED);
        return claim;
    }

    private Reply.Refused refused(Claim claim) {
        return Attempt.refused(ask(claim));
    }

    private void assertTold(Wake wake) {
        eventually("it is told " + wake, () -> {
            letTimePass(MOMENT);
            return wakes.contains(wake);
        });
    }

    private Reply ask(Claim claim) {
        return node().ask(claim)
                .toCompletableFuture()
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }
}
