package io.holdfast.quorum;

import io.holdfast.node.Reply;

/**
 * The votes so far, counted over the configured number of nodes: the one place where a vote is counted.
 *
 * @param nodes how many nodes are configured, whether they answer or not
 * @param granted how many said yes
 * @param refused how many said no, since this owner does not hold the lock
 * @param stale how many said no to the proposed fencing token alone, since it is too small or too great
 * @param failed how many gave no usable answer or may not vote
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

    /** No vote yet. */
    public static Tally of(int nodes) {
        return new Tally(nodes, 0, 0, 0, 0);
    }

    /** The smallest number of nodes of which any two groups have a node in common. */
    public int majority() {
        return nodes / 2 + 1;
    }

    /** The tally with one vote more. */
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
     * What the votes decide. A no waits until it is certain whether others hold the lock or too few nodes answer; where a
     * majority is healthy, that is never longer than its answers take.
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
        if (isBeyondMajority(failed + missing())) {
            return Verdict.UNDECIDED;
        }
        return refused == 0 && stale > 0 ? Verdict.STALE : Verdict.REFUSED;
    }

    /** Whether so many nodes say that this owner holds nothing that it cannot have a majority, whatever the others say. */
    public boolean isDenied() {
        return isBeyondMajority(refused);
    }

    private int missing() {
        return nodes - granted - refused - stale - failed;
    }

    /** Whether no majority is left without these votes. */
    private boolean isBeyondMajority(int votes) {
        return votes > nodes - majority();
    }
}
