package io.holdfast.node;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client looks at a node and, if the node is in quarantine, adds the time for which it has watched it. Several clients may
 * take turns: the time of one counts from the reply that made it the node's watcher, and only until another takes over, so
 * that no moment counts twice. A node without a watcher takes whoever looks.
 *
 * @param watcher who watches
 * @param takeOver whether to become the watcher in place of another, who seems to be gone
 * @param watched how long since the last reply to this watcher, by a clock that nobody sets
 * @param needed how long the node has to be watched in all; zero: an operator says that it never held a lock
 * @param floor the fence that the node may take as the greatest it has forgotten; null: not known yet, so do not admit
 * @param fleet what this client takes for agreed
 */
public record Watch(
        String watcher,
        boolean takeOver,
        Duration watched,
        Duration needed,
        @Nullable FencingToken floor,
        Fleet fleet) {}
