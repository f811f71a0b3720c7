package io.holdfast.quorum;

import io.holdfast.node.LockNode;
import java.util.ArrayList;
import java.util.List;

/**
 * All configured nodes, each of which has a vote.
 *
 * @param nodes those of the present set, and those of the previous one
 * @param sets the sets whose majorities decide
 */
public record Voters(List<LockNode> nodes, NodeSets sets) {

    /** Returns the nodes of one set. */
    public static Voters of(List<? extends LockNode> nodes) {
        return of(nodes, List.of());
    }

    /** Returns the nodes of the present set and those of the previous one, of which there may be none. */
    public static Voters of(List<? extends LockNode> present, List<? extends LockNode> previous) {
        List<LockNode> all = new ArrayList<>(present);
        all.addAll(previous);
        return new Voters(List.copyOf(all), NodeSets.of(present.size()).withPrevious(previous.size()));
    }
}
