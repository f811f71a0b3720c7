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
 * After a majority has confirmed an extension, asks the nodes that do not have the lock to keep it again, for the time that is left.
 * So a hold survives the restart of one node after another.
 *
 * <p>Each repair proposes a number of its own. Waiters raise the fence of a node with every attempt that they take back, so a
 * node would refuse the token of the lease. A number that was never sent before also lets a release tell late repairs from others.
 *
 * @param origin where the claim was granted; it records the numbers, so that the release covers them
 * @param wanted whether the claim is still held
 */
record Repair(
        List<LockNode> nodes, Time time, Claim extension, Moment begun, AttemptTrace origin, BooleanSupplier wanted) {

    /** The first number may be below the floor of a node that was restarted, the second one below the seal of a waiter. */
    private static final int MOST_AT_ONCE = 3;

    /** Follows the answers to the extension, also those that come after its majority. */
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
        // Recorded before the look at the state: a release that begins in between covers this number.
        FencingToken proposed = origin.propose(node, extension.greatestFence(), accepted);
        if (wanted.getAsBoolean()) {
            Round.ask(nodes.get(node), extension.repair(left, proposed)).thenAccept(reply -> {
                if (reply instanceof Reply.Stale stale && attempts < MOST_AT_ONCE) {
                    ask(node, stale.fence(), attempts + 1);
                }
            });
        }
    }
}
