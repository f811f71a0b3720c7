package io.holdfast.quorum;

import io.holdfast.node.Majority;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The sets of nodes whose majorities decide together. A client has one set; while the nodes are being replaced by
 * others, it may have the previous set as well, and then needs a majority of each. So its decisions have a node in
 * common with each decision of a client that has only one of the sets.
 *
 * <p>The nodes are numbered from 0, those of the present set first. Several nodes are the bits of a number. Immutable.
 *
 * @see <a href="https://raft.github.io/raft.pdf">D. Ongaro, J. Ousterhout, In Search of an Understandable Consensus
 *     Algorithm, 2014, section 6: joint consensus</a>
 */
public final class NodeSets implements Serializable {

    /** The most nodes of all sets. */
    private static final int MOST_NODES = Long.SIZE;

    private static final long serialVersionUID = 1L;

    private final long[] sets;

    private NodeSets(long... sets) {
        this.sets = sets;
    }

    /**
     * Returns one set.
     *
     * @param nodes the number of configured nodes, whether they answer or not
     * @throws IllegalArgumentException if there is no node, or if there are more than {@link #MOST_NODES}
     */
    public static NodeSets of(int nodes) {
        return new NodeSets(following(0, nodes));
    }

    /**
     * Returns these sets and the previous set, whose nodes follow.
     *
     * @param nodes the number of nodes of the previous set; 0: there is none
     * @throws IllegalArgumentException if there are more than {@link #MOST_NODES} in all
     */
    public NodeSets withPrevious(int nodes) {
        if (nodes == 0) {
            return this;
        }
        long[] more = Arrays.copyOf(sets, sets.length + 1);
        more[sets.length] = following(size(), nodes);
        return new NodeSets(more);
    }

    private static long following(int before, int nodes) {
        if (nodes < 1 || before + nodes > MOST_NODES) {
            throw new IllegalArgumentException(
                    before + nodes + " nodes are not between 1 and " + MOST_NODES + "; three or five are enough");
        }
        return -1L >>> (Long.SIZE - nodes) << before;
    }

    /** Returns the number of nodes of all sets. */
    public int size() {
        return LongStream.of(sets).mapToInt(Long::bitCount).sum();
    }

    /** Returns all nodes. */
    public long all() {
        return LongStream.of(sets).reduce(0, (some, more) -> some | more);
    }

    /** Returns one node. */
    public static long node(int index) {
        return 1L << index;
    }

    /**
     * Returns the nodes of which this is true.
     *
     * @param nodes what is known of each node, in order
     */
    public static <T extends @Nullable Object> long where(List<T> nodes, Predicate<? super T> condition) {
        long chosen = 0;
        for (int i = 0; i < nodes.size(); i++) {
            chosen |= condition.test(nodes.get(i)) ? node(i) : 0;
        }
        return chosen;
    }

    /** Returns {@code true} if these nodes are a majority of each set. */
    public boolean isMajority(long nodes) {
        for (long set : sets) {
            if (!isMajority(nodes, set)) {
                return false;
            }
        }
        return true;
    }

    /** Returns all nodes of those sets of which these nodes are a majority. */
    public long setsGrantedBy(long nodes) {
        long won = 0;
        for (long set : sets) {
            won |= isMajority(nodes, set) ? set : 0;
        }
        return won;
    }

    /** Returns {@code true} if none of these nodes is of one of the sets. */
    public boolean isAnySetWithout(long nodes) {
        return LongStream.of(sets).anyMatch(set -> (set & nodes) == 0);
    }

    /** Returns {@code true} if each majority of each set contains one of these nodes. */
    public boolean intersectsEachMajority(long nodes) {
        for (long set : sets) {
            if (isMajority(~nodes, set)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isMajority(long nodes, long set) {
        return Majority.isReachedBy(Long.bitCount(nodes & set), Long.bitCount(set));
    }

    /** Returns what decides, such as {@code 2 of 3 nodes}. */
    @Override
    public String toString() {
        return LongStream.of(sets)
                .mapToObj(set -> Majority.of(Long.bitCount(set)) + " of " + Long.bitCount(set))
                .collect(Collectors.joining(" nodes and ", "", sets.length == 1 ? " nodes" : " previous nodes"));
    }
}
