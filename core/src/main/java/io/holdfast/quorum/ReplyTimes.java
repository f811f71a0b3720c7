package io.holdfast.quorum;

import static io.holdfast.time.Durations.longer;
import static io.holdfast.time.Durations.shorter;

import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntPredicate;

/** The time that each node took for its last reply to an attempt, however late it came. Thread-safe. */
final class ReplyTimes {

    /** Zero: the node has not replied yet. */
    private final AtomicLongArray lastNanos;

    ReplyTimes(int nodes) {
        this.lastNanos = new AtomicLongArray(nodes);
    }

    /** Records the time that a node took for its reply. */
    void replied(int node, Duration after) {
        lastNanos.set(node, after.toNanos());
    }

    /**
     * Returns how long to wait for the nodes that have not replied: twice as long as the slowest of them took the last
     * time, within the bounds of the patience.
     */
    Duration limit(NodePatience patience, IntPredicate hasReplied) {
        long slowest = 0;
        for (int i = 0; i < lastNanos.length(); i++) {
            slowest = hasReplied.test(i) ? slowest : Math.max(slowest, lastNanos.get(i));
        }
        Duration usual = Durations.times(Duration.ofNanos(slowest), 2);
        return shorter(patience.nodeTimeout(), longer(patience.minority(), usual));
    }
}
