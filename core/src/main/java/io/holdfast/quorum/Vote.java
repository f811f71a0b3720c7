package io.holdfast.quorum;

import io.holdfast.node.Reply;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The reply of one node in a round.
 *
 * @param index the number of the node
 * @param node the name of the node
 * @param reply the reply of the node
 */
public record Vote(int index, String node, Reply reply) implements Serializable {

    /** Returns a description of the vote in one line. */
    @Override
    public String toString() {
        return node + ": " + text();
    }

    /** Returns the descriptions of votes joined into one line for a message. */
    public static String join(List<Vote> votes) {
        return votes.stream().map(Vote::toString).collect(Collectors.joining("; "));
    }

    /** Returns a description of the reply in one line. */
    public String text() {
        if (reply instanceof Reply.Refused refused) {
            return describe(refused.timeLeft());
        } else if (reply instanceof Reply.Stale stale) {
            return "free, but has accepted fence " + stale.fence();
        } else if (reply instanceof Reply.Ahead ahead) {
            return "free, but the proposed fence is too far above " + ahead.present()
                    + ", the node's clock in microseconds; set the clocks of this client and of the node";
        } else if (reply instanceof Reply.Quarantined quarantined) {
            return "in quarantine for " + quarantined.timeLeft().toMillis()
                    + " ms more, since it may have forgotten locks";
        } else if (reply instanceof Reply.Failed failed) {
            return failed.cause();
        }
        return "granted";
    }

    private static String describe(Duration timeLeft) {
        if (timeLeft.isZero()) {
            return "not held by this owner";
        }
        return timeLeft.equals(Reply.Refused.ENDLESS)
                ? "held by a key that never expires, so not by Holdfast; delete it if its holder is gone"
                : "held by another for up to " + timeLeft.toMillis() + " ms";
    }
}
