package io.holdfast.admin;

import io.holdfast.lease.ClientDescription;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.quorum.NodeSets;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The state of a lock on all nodes, read without taking part in the lock. It may be outdated when it is used.
 * Immutable.
 *
 * @param resource the name of the lock
 * @param nodes the reply of each node, in order, those of the previous set last
 * @param previous how many of them are of the previous set; usually none
 * @param clients what the clients that hold the lock or wait for it say about themselves, by id
 */
public record LockStatus(
        String resource, List<NodeAnswer<NodeLockStatus>> nodes, int previous, Map<String, ClientDescription> clients) {

    /** Creates a status of these replies. */
    public LockStatus {
        nodes = List.copyOf(nodes);
        clients = Map.copyOf(clients);
    }

    /** Creates a status of the replies of one set of nodes. */
    public LockStatus(String resource, List<NodeAnswer<NodeLockStatus>> nodes, Map<String, ClientDescription> clients) {
        this(resource, nodes, 0, clients);
    }

    private NodeSets sets() {
        return NodeSets.of(nodes.size() - previous).withPrevious(previous);
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
     * left, with the newest note. Empty if no holder has a majority. Of two sets of nodes, one is enough, since the
     * holder may be a client of that set alone.
     */
    public Optional<NodeLockStatus> held() {
        return nodesOfHolder().map(holder -> longest(on(holder)));
    }

    private Optional<Long> nodesOfHolder() {
        return nodesOfHolders()
                .filter(holder -> sets().setsGrantedBy(holder) != 0)
                .max(Comparator.<Long, Boolean>comparing(holder -> sets().isMajority(holder))
                        .thenComparing(holder -> !isWaitingElsewhere(holder)));
    }

    /**
     * Returns {@code true} if a removal has ended the hold of this holder, or each hold if there is none: a majority of
     * each set has answered, or at least of each one on which the holder has a majority.
     *
     * @param removal the answers to {@link LockAdmin#breakLock}, after this state was read
     */
    public boolean isEndedBy(List<? extends NodeAnswer<?>> removal) {
        long removed = NodeSets.where(removal, NodeAnswer::isPresent);
        long held = nodesOfHolder().map(sets()::setsGrantedBy).orElse(sets().all());
        return (sets().setsGrantedBy(removed) & held) == held;
    }

    private List<NodeLockStatus> on(long some) {
        return IntStream.range(0, nodes.size())
                .filter(i -> (some & NodeSets.node(i)) != 0)
                .mapToObj(i -> nodes.get(i).value())
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Returns whether a client has a set of nodes while it waits for the other one, which has another holder: that one
     * holds the lock.
     */
    private boolean isWaitingElsewhere(long held) {
        List<String> clients =
                on(held).stream().flatMap(view -> view.clients().stream()).toList();
        return on(~held).stream()
                .flatMap(view -> view.queue().stream())
                .anyMatch(waiter -> clients.contains(waiter.client()));
    }

    private Stream<Long> nodesOfHolders() {
        return nodesBy(view -> Stream.of(view).filter(NodeLockStatus::isHeld).map(NodeLockStatus::holder))
                .values()
                .stream();
    }

    /** Returns the nodes that report each of these, such as each holder. */
    private <T> Map<T, Long> nodesBy(Function<NodeLockStatus, Stream<T>> reported) {
        Map<T, Long> by = new LinkedHashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            long node = NodeSets.node(i);
            Stream.ofNullable(nodes.get(i).value())
                    .flatMap(reported)
                    .forEach(one -> by.merge(one, node, (some, more) -> some | more));
        }
        return by;
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
     * Returns {@code true} if the nodes of a set that answer report different holders, or if both sets report some: the
     * lock is being acquired or released, or a node has lost it.
     */
    public boolean isDisputed() {
        long ofPrevious = previous == 0 ? 0 : -NodeSets.node(nodes.size() - previous);
        return hasSeveral(on(~ofPrevious).stream())
                || hasSeveral(on(ofPrevious).stream())
                || hasSeveral(views().stream().filter(NodeLockStatus::isHeld));
    }

    private static boolean hasSeveral(Stream<NodeLockStatus> states) {
        return states.map(NodeLockStatus::holder).distinct().count() > 1;
    }

    /** Returns {@code true} if a majority of the nodes of each set answered. */
    public boolean isQuorum() {
        return !nodes.isEmpty() && sets().isMajority(NodeSets.where(nodes, NodeAnswer::isPresent));
    }

    /** Returns {@code true} if a holder has a majority, or may have one with the nodes that did not answer. */
    public boolean mayBeHeld() {
        long missing = NodeSets.where(nodes, node -> !node.isPresent());
        return !nodes.isEmpty()
                && Stream.concat(nodesOfHolders(), Stream.of(0L))
                        .anyMatch(holder -> sets().setsGrantedBy(holder | missing) != 0);
    }

    /** Returns the clients that are queued on a majority of a set of nodes. */
    Stream<NodeLockStatus.Waiter> queued() {
        return nodesBy(view -> view.queue().stream()).entrySet().stream()
                .filter(waiter -> sets().setsGrantedBy(waiter.getValue()) != 0)
                .map(Map.Entry::getKey);
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
