package io.holdfast.testkit.contract;

import static io.holdfast.testkit.contract.Attempt.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.LockNode;
import io.holdfast.node.Reply;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A contract for repairs of a {@link LockNode} and the releases that follow them: a test class for an implementation
 * extends this class.
 */
public abstract class RepairContract extends AttemptsContract {

    private static final Duration TTL = Duration.ofSeconds(30);
    private static final Duration LONGER = Duration.ofSeconds(60);

    RepairContract(TestedNode on) {
        super(on);
    }

    @Test
    void repair_keyIsGoneAndWaiterSealed_setsTheKeyForTheTimeLeft() {
        Attempt holder = holderWithoutItsKey();
        refused(attempt(5).release());
        assertGranted(holder.repair(TTL, fence(6)));
        assertThat(holder.timeLeftOfHolder()).isPositive().isLessThanOrEqualTo(TTL);
        assertGranted(holder.extend(LONGER));
        assertThat(refused(attempt(9).acquire(TTL)).fence()).isEqualTo(fence(6));
    }

    @Test
    void repair_fenceEqualToTheAccepted_isStale() {
        Attempt holder = holderWithoutItsKey();
        assertStale(holder.repair(TTL, fence(1)), fence(1));
        assertFree();
    }

    @Test
    void repair_fenceBelowASeal_isStale() {
        Attempt holder = holderWithoutItsKey();
        refused(attempt(5).release());
        assertStale(holder.repair(TTL, fence(4)), fence(5).next());
        assertFree();
    }

    @Test
    void repair_keyOfAnother_isRefusedAndKeepsTheKey() {
        Attempt holder = holderWithoutItsKey();
        Attempt other = attempt(2);
        assertGranted(other.acquire(TTL));
        assertThat(refused(holder.repair(LONGER, fence(3))).timeLeft())
                .isPositive()
                .isLessThanOrEqualTo(TTL);
        assertGranted(other.extend(TTL));
    }

    @Test
    void repair_keyExists_extendsItAndKeepsTheFence() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(TTL));
        assertGranted(holder.repair(LONGER, fence(4)));
        assertThat(holder.timeLeftOfHolder()).isGreaterThan(TTL);
        assertThat(refused(attempt(9).acquire(TTL)).fence()).isEqualTo(fence(1));
    }

    @Test
    void repair_fenceInTheFarFuture_isAheadAndLeavesTheLockFree() {
        Attempt holder = holderWithoutItsKey();
        FencingToken future = new FencingToken(fence(1).value() + 60_000_000);
        assertThat(holder.repair(TTL, future)).isInstanceOf(Reply.Ahead.class);
        assertFree();
    }

    @Test
    void repair_arrivesTwiceAndAgainAfterTheRelease_isStale() {
        Attempt holder = holderWithoutItsKey();
        assertGranted(holder.repair(TTL, fence(3)));
        assertGranted(holder.repair(TTL, fence(3)));
        assertGranted(holder.release(fence(3)));
        assertStale(holder.repair(TTL, fence(3)), fence(3));
        assertFree();
    }

    @Test
    void repair_arrivesAfterAReleaseThatCoversIt_isStale() {
        Attempt holder = holderWithoutItsKey();
        refused(holder.release(fence(3)));
        assertStale(holder.repair(TTL, fence(3)), fence(3).next());
        assertFree();
    }

    /** The key exists because of another message, and the node has accepted a smaller fence than that of the repair. */
    @Test
    void repair_arrivesAfterTheReleaseOfItsKey_isStale() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(TTL));
        assertGranted(holder.release(fence(3)));
        assertStale(holder.repair(TTL, fence(3)), fence(3).next());
        assertFree();
    }

    @Test
    void acquire_arrivesAfterARepairAndItsRelease_isStale() {
        Attempt holder = holderWithoutItsKey();
        assertGranted(holder.repair(TTL, fence(3)));
        assertGranted(holder.release(fence(3)));
        assertStale(holder.acquire(TTL), fence(3));
        assertGranted(attempt(4).acquire(TTL));
    }

    private Attempt holderWithoutItsKey() {
        Attempt holder = attempt(1);
        assertGranted(holder.acquire(TTL));
        on.expireNow(resource);
        return holder;
    }
}
