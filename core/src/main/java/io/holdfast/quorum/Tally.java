package io.holdfast.quorum;

import io.holdfast.node.Majority;
import io.holdfast.node.Reply;

/**
 * The count of the votes of a round. Grants of a standing claim arrive after its round; the attempt of the acquisition
 * counts them.
 *
 * @param nodes the number of configured nodes, whether they answer or not
 * @param granted the number of votes for the claim
 * @param refused the number of votes against the claim, because of another holder or because this owner does not hold
 *     the lock
 * @param stale the number of votes against the proposed fence only, because it is too small or too great
 * @param failed the number of nodes that gave no usable answer or may not vote
 */
public record Tally(int nodes, int granted, int refused, int stale, int failed) {

    public Tally {
        if (nodes < 1 || granted < 0 || refused < 0 || stale < 0 || failed < 0) {
            throw new IllegalArgumentException("A tally counts from 0, over at least one node");
        }
        if (granted + refused + stale + failed > nodes) {
            throw new IllegalArgumentException("More votes than nodes: a node has voted twice");
        }
    }

    /** Returns a tally without votes. */
    public static Tally of(int nodes) {
        return new Tally(nodes, 0, 0, 0, 0);
    }

    /** Returns the least number of nodes that is a majority. */
    public int majority() {
        return Majority.of(nodes);
    }

    /** Returns this tally with another vote. */
    public Tally with(Reply reply) {
        if (reply instanceof Reply.Refused) {
            return new Tally(nodes, granted, refused + 1, stale, failed);
        } else if (reply instanceof Reply.Stale || reply instanceof Reply.Ahead) {
            return new Tally(nodes, granted, refused, stale + 1, failed);
        } else if (reply instanceof Reply.Failed || reply instanceof Reply.Quarantined) {
            return new Tally(nodes, granted, refused, stale, failed + 1);
        }
        return new Tally(nodes, granted + 1, refused, stale, failed);
    }

    /**
     * Returns the decision of the votes. A refusal is decided only when it is certain whether other owners hold the
     * lock or too few nodes answer. If a majority is healthy, that takes no longer than its replies.
     */
    public Verdict verdict() {
        if (granted >= majority()) {
            return Verdict.GRANTED;
        }
        if (granted + missing() >= majority()) {
            return Verdict.UNDECIDED;
        }
        if (isBeyondMajority(failed)) {
            return Verdict.UNREACHABLE;
        }
        if (!isVotedByMajority()) {
            return Verdict.UNDECIDED;
        }
        return refused == 0 && stale > 0 ? Verdict.STALE : Verdict.REFUSED;
    }

    /** Returns {@code true} if too many nodes deny the lock to this owner for a majority to be possible. */
    public boolean isDenied() {
        return isBeyondMajority(refused);
    }

    /**
     * Returns {@code true} if a majority has voted, so that the nodes are not {@linkplain Verdict#UNREACHABLE
     * unreachable}.
     */
    boolean isVotedByMajority() {
        return !isBeyondMajority(failed + missing());
    }

    private int missing() {
        return nodes - granted - refused - stale - failed;
    }

    /** Returns {@code true} if no majority is possible without these votes. */
    private boolean isBeyondMajority(int votes) {
        return votes > nodes - majority();
    }
}
