package io.holdfast;

import io.holdfast.node.LockView;
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
public record LockStatus(String resource, List<NodeView<LockView>> nodes) {

    public LockStatus {
        nodes = List.copyOf(nodes);
    }

    /** The view of one of the nodes on which the same holder has a majority; empty if nobody has. */
    public Optional<LockView> held() {
        Map<String, List<LockView>> byHolder =
                views().stream().filter(LockView::isHeld).collect(Collectors.groupingBy(LockView::holder));
        return byHolder.values().stream()
                .filter(same -> same.size() > nodes.size() / 2)
                .flatMap(List::stream)
                .max((one, other) -> one.timeLeft().compareTo(other.timeLeft()));
    }

    /** Whether any node says that somebody holds it. */
    public boolean isHeldSomewhere() {
        return views().stream().anyMatch(LockView::isHeld);
    }

    /** Whether nodes that answer do not agree on who holds it: somebody takes it or gives it up, or a node has lost it. */
    public boolean isDisputed() {
        return views().stream().map(LockView::holder).distinct().count() > 1;
    }

    /** Whether so many nodes answer that a majority can be seen. */
    public boolean isQuorum() {
        return views().size() > nodes.size() / 2;
    }

    private List<LockView> views() {
        return nodes.stream()
                .map(node -> node.told().value())
                .filter(Objects::nonNull)
                .map(Function.<LockView>identity())
                .toList();
    }
}
