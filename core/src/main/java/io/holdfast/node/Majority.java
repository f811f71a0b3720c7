package io.holdfast.node;

/** The least number of nodes that decides. Any two majorities of the same nodes have a node in common. */
public final class Majority {

    private Majority() {}

    /**
     * Returns the least number of nodes that is a majority.
     *
     * @param nodes the number of configured nodes, at least 1, whether they answer or not
     */
    public static int of(int nodes) {
        return nodes / 2 + 1;
    }

    /**
     * Returns {@code true} if these nodes are a majority.
     *
     * @param some the number of nodes that agree
     * @param nodes the number of configured nodes, at least 1, whether they answer or not
     */
    public static boolean isReachedBy(long some, int nodes) {
        return some >= of(nodes);
    }
}
