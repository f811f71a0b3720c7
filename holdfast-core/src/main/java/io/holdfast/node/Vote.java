package io.holdfast.node;

/**
 * What one node answered in a round.
 *
 * @param node the name of the node
 * @param reply its answer
 */
public record Vote(String node, Reply reply) {

    /** One line for a person. */
    @Override
    public String toString() {
        return node + ": " + describe();
    }

    private String describe() {
        if (reply instanceof Reply.Refused refused) {
            return refused.timeLeft().isZero()
                    ? "not held by this owner"
                    : "held by another for up to " + refused.timeLeft().toMillis() + " ms";
        } else if (reply instanceof Reply.Stale stale) {
            return "free, but has accepted fence " + stale.fence();
        } else if (reply instanceof Reply.Failed failed) {
            return failed.cause();
        }
        return "granted";
    }
}
