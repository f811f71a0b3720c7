package io.holdfast.hold;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.Reply;
import io.holdfast.quorum.AttemptTrace;
import io.holdfast.quorum.Round;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The repair of nodes that do not have the lock although a majority has confirmed its extension. They set the lock
 * again for the time that is left. So a hold survives the restart of one node after another.
 *
 * <p>Each repair proposes a fence of its own. Waiters raise the fence of a node with every attempt that they release,
 * so a node would reject the fencing token of the lease. With a new fence, a release also distinguishes late repairs
 * from earlier ones.
 *
 * @param origin the trace of the grant; it records the fences, so that the release covers them
 * @param wanted returns {@code true} while the lock is held
 */
record Repair(
        List<LockNode> nodes, Time time, Claim extension, Moment begun, AttemptTrace origin, BooleanSupplier wanted) {

    /** The first fence may be below the floor of a restarted node, the second one below the seal of a waiter. */
    private static final int MAX_ATTEMPTS = 3;

    /** Repairs each node that denies the extension, even after a majority has confirmed it. */
    void follow(Round confirmed) {
        for (int i = 0; i < nodes.size(); i++) {
            int node = i;
            confirmed.reply(i).thenAccept(reply -> {
                if (reply instanceof Reply.Refused refused && refused.timeLeft().isZero()) {
                    ask(node, refused.fence(), 1);
                }
            });
        }
    }

    private void ask(int node, FencingToken accepted, int attempts) {
        Duration left = extension.ttl().minus(time.now().since(begun));
        if (left.toMillis() < 1) {
            return;
        }
        // Recorded before the state is checked: a release that begins in between covers this fence.
        FencingToken proposed = origin.proposeRepair(node, extension.greatestFence(), accepted);
        if (wanted.getAsBoolean()) {
            Round.ask(nodes.get(node), extension.repair(left, proposed)).thenAccept(reply -> {
                if (reply instanceof Reply.Stale stale && attempts < MAX_ATTEMPTS) {
                    ask(node, stale.fence(), attempts + 1);
                }
            });
        }
    }
}
