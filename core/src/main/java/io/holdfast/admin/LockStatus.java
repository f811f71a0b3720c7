package io.holdfast.admin;

import io.holdfast.lease.ClientDescription;
import io.holdfast.node.Majority;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The state of a lock on all nodes, read without taking part in the lock. It may be outdated when it is used.
 * Immutable.
 *
 * @param resource the name of the lock
 * @param nodes the reply of each node, in order
 * @param clients what the clients that hold the lock or wait for it say about themselves, by id
 */
public record LockStatus(
        String resource, List<NodeAnswer<NodeLockStatus>> nodes, Map<String, ClientDescription> clients) {

    /** Creates a status of these replies. */
    public LockStatus {
        nodes = List.copyOf(nodes);
        clients = Map.copyOf(clients);
    }

    /** Returns what the holders say about themselves: of an exclusive lock at most one. */
    public List<ClientDescription> holders() {
        return held().stream()
                .flatMap(view -> view.clients().stream())
                .flatMap(id -> Optional.ofNullable(clients.get(id)).stream())
                .toList();
    }

    /**
     * Returns the clients that wait, the next one first: from the node with the longest queue, since a node that votes
     * late lacks some.
     */
    public List<NodeLockStatus.Waiter> queue() {
        return views().stream()
                .map(NodeLockStatus::queue)
                .max(Comparator.comparingInt(List::size))
                .orElse(List.of());
    }

    /**
     * Returns the state on a node of the majority that reports the same holder: of those the one with the longest time
     * left, with the newest note. Empty if no holder has a majority.
     */
    public Optional<NodeLockStatus> held() {
        Map<String, List<NodeLockStatus>> byHolder =
                views().stream().filter(NodeLockStatus::isHeld).collect(Collectors.groupingBy(NodeLockStatus::holder));
        return byHolder.values().stream()
                .filter(same -> Majority.isReachedBy(same.size(), nodes.size()))
                .findFirst()
                .map(LockStatus::longest);
    }

    /** Returns the state with the longest time left, with the newest note: a node that votes late may not have it. */
    private static NodeLockStatus longest(List<NodeLockStatus> same) {
        NodeLockStatus longest = Collections.max(same, Comparator.comparing(NodeLockStatus::timeLeft));
        return longest.with(Collections.max(
                same.stream().map(NodeLockStatus::note).toList(), Comparator.comparing(NodeLockStatus.Note::token)));
    }

    /** Returns {@code true} if at least one node reports a holder. */
    public boolean isHeldSomewhere() {
        return views().stream().anyMatch(NodeLockStatus::isHeld);
    }

    /**
     * Returns {@code true} if the nodes that answer report different holders: the lock is being acquired or released,
     * or a node has lost it.
     */
    public boolean isDisputed() {
        return views().stream().map(NodeLockStatus::holder).distinct().count() > 1;
    }

    /** Returns {@code true} if a majority of the nodes answered. */
    public boolean isQuorum() {
        return Majority.isReachedBy(views().size(), nodes.size());
    }

    /** Returns the note of an administrator who has removed the lock, on a node where it is free; empty if none has. */
    public String removalNote() {
        return views().stream()
                .filter(view -> !view.isHeld())
                .map(view -> view.note().text())
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** Returns the states on the nodes that answered, in order. */
    public List<NodeLockStatus> views() {
        return NodeAnswer.present(nodes);
    }
}
