package io.holdfast.cli.output;

import io.holdfast.admin.LockStatus;
import io.holdfast.node.Majority;
import io.holdfast.node.NodeLockStatus;
import java.util.List;
import java.util.stream.Collectors;

/** The state of a lock, as far as the answers of the nodes show it. */
public enum LockState {
    HELD,
    FREE,
    /** Some nodes report holders, and none of them can have a majority. */
    CONTESTED,
    /** The nodes that do not answer decide whether the lock is held. */
    UNKNOWN;

    /** Returns the state of the lock. A lock is free only if the missing answers cannot change that. */
    public static LockState of(LockStatus status) {
        if (status.held().isPresent()) {
            return HELD;
        }
        List<NodeLockStatus> views = status.views();
        long missing = (long) status.nodes().size() - views.size();
        long mostVotes = views.stream()
                .filter(NodeLockStatus::isHeld)
                .collect(Collectors.groupingBy(NodeLockStatus::holder, Collectors.counting()))
                .values()
                .stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
        if (Majority.isReachedBy(missing + mostVotes, status.nodes().size())) {
            return UNKNOWN;
        }
        return mostVotes > 0 ? CONTESTED : FREE;
    }
}
