package io.holdfast.quorum;

import io.holdfast.node.Reply;

/**
 * The count of the votes of a round. Grants of a standing claim arrive after its round; the attempt of the acquisition
 * counts them. The votes of a kind are the nodes that gave them, as {@link NodeSets} numbers them.
 *
 * @param sets all configured nodes, whether they answer or not
 * @param granted the votes for the claim
 * @param refused the votes against the claim, because of another holder or because this owner does not hold the lock
 * @param stale the votes against the proposed fence only, because it is too small or too great
 * @param failed the nodes that gave no usable answer or may not vote
 */
public record Tally(NodeSets sets, long granted, long refused, long stale, long failed) {

    public Tally {
        long all = granted | refused | stale | failed;
        if ((all & ~sets.all()) != 0) {
            throw new IllegalArgumentException("A vote of a node that is not configured");
        }
        if (Long.bitCount(granted) + Long.bitCount(refused) + Long.bitCount(stale) + Long.bitCount(failed)
                > Long.bitCount(all)) {
            throw new IllegalArgumentException("More votes than nodes: a node has voted twice");
        }
    }

    /** Returns a tally without votes. */
    public static Tally of(NodeSets sets) {
        return new Tally(sets, 0, 0, 0, 0);
    }

    /** Returns this tally with the vote of another node. */
    public Tally with(int index, Reply reply) {
        long node = NodeSets.node(index);
        if (((granted | refused | stale | failed) & node) != 0) {
            throw new IllegalArgumentException("Node " + index + " has voted twice");
        }
        if (reply instanceof Reply.Refused) {
            return new Tally(sets, granted, refused | node, stale, failed);
        } else if (reply instanceof Reply.Stale || reply instanceof Reply.Ahead) {
            return new Tally(sets, granted, refused, stale | node, failed);
        } else if (reply instanceof Reply.Failed || reply instanceof Reply.Quarantined) {
            return new Tally(sets, granted, refused, stale, failed | node);
        }
        return new Tally(sets, granted | node, refused, stale, failed);
    }

    /**
     * Returns the decision of the votes. A refusal is decided only when it is certain whether other owners hold the
     * lock or too few nodes answer. If a majority is healthy, that takes no longer than its replies.
     */
    public Verdict verdict() {
        if (sets.isMajority(granted)) {
            return Verdict.GRANTED;
        }
        if (sets.isMajority(granted | missing())) {
            return Verdict.UNDECIDED;
        }
        if (!sets.isMajority(~failed)) {
            return Verdict.UNREACHABLE;
        }
        if (!isVotedByMajority()) {
            return Verdict.UNDECIDED;
        }
        return refused == 0 && stale != 0 ? Verdict.STALE : Verdict.REFUSED;
    }

    /** Returns {@code true} if too many nodes deny the lock to this owner for a majority to be possible. */
    public boolean isDenied() {
        return !sets.isMajority(~refused);
    }

    /** Returns {@code true} if a majority refuses the claim. */
    public boolean isRefusedByMajority() {
        return sets.isMajority(refused);
    }

    /**
     * Returns the nodes of the sets whose majority has granted the claim; those of all sets, if the claim is granted.
     */
    public long grantedSets() {
        return sets.setsGrantedBy(granted);
    }

    /**
     * Returns {@code true} if a majority has voted, so that the nodes are not {@linkplain Verdict#UNREACHABLE
     * unreachable}.
     */
    boolean isVotedByMajority() {
        return sets.isMajority(~(failed | missing()));
    }

    private long missing() {
        return sets.all() & ~(granted | refused | stale | failed);
    }
}
