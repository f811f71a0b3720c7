package io.holdfast.admin;

import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How a lock stands on all nodes, read without taking part: by the time it is looked at it may be otherwise.
 *
 * @param resource which lock
 * @param nodes what each node says, in their order
 */
public record LockStatus(String resource, List<NodeAnswer<NodeLockStatus>> nodes) {

    public LockStatus {
        nodes = List.copyOf(nodes);
    }

    /** The view of one of the nodes on which the same holder has a majority; empty if nobody has. */
    public Optional<NodeLockStatus> held() {
        Map<String, List<NodeLockStatus>> byHolder =
                views().stream().filter(NodeLockStatus::isHeld).collect(Collectors.groupingBy(NodeLockStatus::holder));
        return byHolder.values().stream()
                .filter(same -> same.size() > nodes.size() / 2)
                .flatMap(List::stream)
                .max((one, other) -> one.timeLeft().compareTo(other.timeLeft()));
    }

    /** Whether any node says that somebody holds it. */
    public boolean isHeldSomewhere() {
        return views().stream().anyMatch(NodeLockStatus::isHeld);
    }

    /** Whether nodes that answer do not agree on who holds it: somebody takes it or gives it up, or a node has lost it. */
    public boolean isDisputed() {
        return views().stream().map(NodeLockStatus::holder).distinct().count() > 1;
    }

    /** Whether so many nodes answer that a majority can be seen. */
    public boolean isQuorum() {
        return views().size() > nodes.size() / 2;
    }

    private List<NodeLockStatus> views() {
        return nodes.stream()
                .map(NodeAnswer::value)
                .filter(Objects::nonNull)
                .map(Function.<NodeLockStatus>identity())
                .toList();
    }
}
