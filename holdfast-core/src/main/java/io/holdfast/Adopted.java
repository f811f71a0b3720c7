package io.holdfast;

import io.holdfast.node.Membership;

/**
 * What became of the adoption of one node.
 *
 * @param node its name
 * @param votes whether it votes now
 * @param cause why not, in one line; empty if it votes
 */
public record Adopted(String node, boolean votes, String cause) {

    static Adopted of(String node, Membership membership) {
        if (membership instanceof Membership.Admitted) {
            return new Adopted(node, true, "");
        }
        return new Adopted(
                node,
                false,
                membership instanceof Membership.Unknown unknown
                        ? unknown.cause()
                        : "it was restarted at this moment; try again");
    }

    @Override
    public String toString() {
        return node + (votes ? " votes" : " does not vote: " + cause);
    }
}
