package io.holdfast.node;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client looks at a node and, if the node is in quarantine, adds the time for which it has watched it. Several clients may
 * take turns: the time of one counts from the reply that made it the node's watcher, and only until another takes over, so
 * that no moment counts twice. A node without a watcher takes whoever looks.
 *
 * <p>Each look has a name of its own, and adds its time only if the node knows the one before it as its watcher: a look that
 * arrives twice, or late, counts once at most.
 *
 * @param watcher the name of this client's look before, whose reply began the time that is added
 * @param next the name of this look
 * @param takeOver whether to become the watcher in place of another, who seems to be gone
 * @param watched how long since the last reply to this watcher, by a clock that nobody sets
 * @param needed how long the node has to be watched in all; zero: an operator says that it never held a lock
 * @param floor the fence that the node may take as the greatest it has forgotten; null: not known yet, so do not admit. It counts
 *     only if the node knows the look before as its watcher: then it was learnt in this quarantine, and not in one before
 * @param fleet what this client takes for agreed
 */
public record Watch(
        String watcher,
        String next,
        boolean takeOver,
        Duration watched,
        Duration needed,
        @Nullable FencingToken floor,
        Fleet fleet) {

    /** Whether the node is said to have nothing to forget. */
    boolean isWordOfOperator() {
        return needed.isZero();
    }

    /** Asks how the node stands, and adds nothing. */
    public static Watch glance(String watcher, Fleet fleet) {
        return new Watch(watcher, watcher, false, Duration.ZERO, fleet.quarantine(), null, fleet);
    }

    /** An operator's word that the node never held a lock, and may vote at once on what is above this fence. */
    public static Watch adoption(String operator, FencingToken floor, Fleet fleet) {
        return new Watch(operator, operator, true, Duration.ZERO, Duration.ZERO, floor, fleet);
    }
}
