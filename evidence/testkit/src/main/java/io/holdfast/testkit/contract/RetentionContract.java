package io.holdfast.testkit.contract;

import static io.holdfast.testkit.contract.Attempt.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.LockNode;
import io.holdfast.node.Reply;
import io.holdfast.servers.Eventually;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A contract for locks that a {@link LockNode} retains after their release: a test class for an implementation extends
 * this class.
 */
public abstract class RetentionContract extends AttemptsContract {

    private static final Duration LONG = Duration.ofMinutes(30);
    private static final Duration MEDIUM = Duration.ofMinutes(15);
    private static final Duration SHORT = Duration.ofMinutes(5);
    private static final Duration BRIEF = Duration.ofMillis(20);
    /** Longer than any reply takes, and shorter than the differences between the ttls above. */
    private static final Duration SLACK = Eventually.BOUND;

    RetentionContract(TestedNode on) {
        super(on);
    }

    @Test
    void retain_shorterThanTheTimeLeft_keepsTheLockForThatTime() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(LONG));

        assertGranted(holder.retain(SHORT));

        assertTimeLeft(SHORT);
    }

    @Test
    void retain_longerThanTheTimeLeft_keepsTheLockForThatTime() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(SHORT));

        assertGranted(holder.retain(LONG));

        assertTimeLeft(LONG);
        assertThat(refused(attempt(2).acquire(SHORT)).timeLeft()).isBetween(LONG.minus(SLACK), LONG);
    }

    /** Everything that another thread, another process or the network may still deliver for the attempt. */
    @Test
    void retain_laterRequestsOfTheAttempt_changeNothing() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(LONG));
        assertGranted(holder.retain(SHORT));

        refused(holder.extend(LONG));
        refused(Attempt.replies(on.node().askAll(List.of(holder.extension(LONG), holder.extension(MEDIUM))))
                .get(0));
        refused(holder.repair(LONG, fence(7)));
        refused(holder.acquire(LONG));
        refused(holder.release());
        assertThat(refused(holder.retain(LONG)).timeLeft()).isPositive();

        assertTimeLeft(SHORT);
    }

    @Test
    void retain_otherOwners_changeNothing() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(LONG));
        assertGranted(holder.retain(SHORT));

        refused(attempt(2).extend(LONG));
        refused(attempt(3).release());
        refused(attempt(4).retain(LONG));

        assertTimeLeft(SHORT);
    }

    @Test
    void retain_timeIsOver_isGrantedToOthersAndStaleForTheAttempt() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(LONG));
        assertGranted(holder.retain(BRIEF));

        on.letTimePass(BRIEF.plusMillis(5));

        assertThat(holder.acquire(LONG)).isEqualTo(new Reply.Stale(fence(1)));
        assertThat(holder.repair(LONG, fence(1))).isEqualTo(new Reply.Stale(fence(1)));
        assertThat(refused(holder.extend(LONG)).timeLeft()).isZero();
        assertGranted(attempt(2).acquire(MEDIUM));
    }

    @Test
    void retain_afterRepairs_coversThem() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(LONG));
        assertGranted(holder.retain(BRIEF, fence(7)));

        on.letTimePass(BRIEF.plusMillis(5));

        assertThat(holder.repair(LONG, fence(7))).isEqualTo(new Reply.Stale(fence(7).next()));
    }

    @Test
    void retain_free_takesNothingAndMakesTheAcquireStale() {
        Attempt late = attempt(1);

        assertThat(refused(late.retain(LONG)).timeLeft()).isZero();

        assertThat(late.acquire(MEDIUM)).isEqualTo(new Reply.Stale(fence(1).next()));
        assertThat(late.timeLeftOfHolder()).isZero();
    }

    @Test
    void retain_heldByAnother_leavesTheLockAndMakesTheAcquireStale() {
        Attempt holder = attempt(1);
        Attempt late = attempt(2);
        assertGranted(holder.acquire(MEDIUM));

        assertThat(refused(late.retain(LONG)).timeLeft()).isBetween(MEDIUM.minus(SLACK), MEDIUM);

        assertTimeLeft(MEDIUM);
        assertGranted(holder.release());
        assertThat(late.acquire(MEDIUM)).isEqualTo(new Reply.Stale(fence(2).next()));
    }

    private void assertTimeLeft(Duration ttl) {
        assertThat(attempt(9).timeLeftOfHolder()).isBetween(ttl.minus(SLACK), ttl);
    }
}
