package io.holdfast.admin;

import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.ResourceName;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The change from the previous set of nodes to the present one, without a stop. It is recorded on the nodes: each of
 * them accepts either all clients of its set, or only those that have both sets. The two sets never accept clients that
 * have them alone at the same time, since these do not exclude each other.
 *
 * <p>The change has three steps towards the present nodes: they accept only clients of both sets; so do the previous
 * ones; the present ones accept all clients. The last step is possible once no client of the previous set alone holds a
 * lock. Such a client keeps its locks and extends them, but acquires no other one. What interrupts a step leaves it
 * where it can be repeated, or taken back.
 *
 * <p>Thread-safe. Several administrators may work at once, also with opposite intentions: a step that another one has
 * overtaken fails. Each method blocks until the nodes have answered, for a few round trips of at most two seconds each,
 * and as long as {@link LockAdmin#list()} where it reads the locks.
 */
public final class NodeChange {

    private final NodeStandings present;
    private final NodeStandings previous;

    NodeChange(NodeStandings present, NodeStandings previous) {
        this.present = present;
        this.previous = previous;
    }

    /** Which clients a node or a set of nodes accepts. */
    public enum Access {
        /** Clients that have this set alone, and clients that have both. */
        ALL,
        /** Only clients that have both sets. */
        BOTH,
        /** Not known: no majority of the nodes has answered. */
        UNKNOWN
    }

    /**
     * The state of a change.
     *
     * @param present which clients the present nodes accept: those that a majority accepts
     * @param previous which clients the previous nodes accept
     * @param nodes which clients each node accepts, those of the previous set last
     * @param left the locks whose holders have only the set that is to be left, which keep the last step from being
     *     taken; usually none
     */
    public record State(Access present, Access previous, List<NodeAnswer<Access>> nodes, List<LockStatus> left) {

        /** Creates a state. */
        public State {
            nodes = List.copyOf(nodes);
            left = List.copyOf(left);
        }
    }

    /** Returns the state of the change. Changes nothing. */
    public State state() {
        return state(List.of());
    }

    private State state(List<LockStatus> left) {
        SetAgreement ofPresent = read(present, previous);
        SetAgreement ofPrevious = read(previous, present);
        return new State(
                ofPresent.access(),
                ofPrevious.access(),
                Stream.concat(ofPresent.accesses(), ofPrevious.accesses()).toList(),
                left);
    }

    /**
     * Takes the next step towards the present nodes; nothing if all are taken.
     *
     * @return the state of the change now. If locks are {@linkplain State#left left}, the last step was not taken; try
     *     again when they have been released
     * @throws IllegalStateException if no majority of a set answers, if a node belongs to other clients, if it cannot
     *     record a change, as a cluster cannot, or if another administrator has changed it meanwhile
     */
    public State next() {
        return step(present, previous);
    }

    /**
     * Takes the next step back to the previous nodes; nothing if all are taken.
     *
     * @return as {@link #next} does
     * @throws IllegalStateException as {@link #next} does
     */
    public State back() {
        return step(previous, present);
    }

    /**
     * The marks of all nodes are read before any is written. So if two administrators close one set each and open the
     * other one, one of them finds a mark that it has not read.
     */
    private State step(NodeStandings to, NodeStandings from) {
        SetAgreement ofTo = read(to, from).required();
        SetAgreement ofFrom = read(from, to).required();
        if (ofFrom.access() != Access.BOTH) {
            (ofTo.access() == Access.BOTH ? ofFrom : ofTo).closed();
        } else if (!ofTo.isOpen()) {
            SetAgreement closed = ofFrom.closed();
            List<LockStatus> left = left(closed, to);
            if (!left.isEmpty()) {
                return state(left);
            }
            ofTo.opened(closed.fence());
        }
        return state(List.of());
    }

    private static SetAgreement read(NodeStandings set, NodeStandings other) {
        return SetAgreement.read(set, set.config().beside(other.config()));
    }

    /**
     * Returns the locks of clients that have only the closed set. A majority of it has granted such a lock, so one of
     * the closed nodes has, before it was closed. A client of both sets has the lock on the other one as well.
     */
    private static List<LockStatus> left(SetAgreement closed, NodeStandings to) {
        NodeStandings voters = closed.answering();
        int size = voters.questions().nodes().size();
        LockReading locks = LockReading.of(voters, to);
        return GroupQuestions.groups(names(voters)).stream()
                .flatMap(group -> locks.statuses(group).stream())
                .filter(lock -> isLeft(lock.nodes(), size))
                .toList();
    }

    private static List<String> names(NodeStandings voters) {
        NodeQuestions questions = voters.questions();
        List<BoundedAnswer<NodeStanding>> asked = voters.asked();
        List<NodeAnswer<Set<String>>> listed = new LockListing(questions.nodes(), questions.time()).names();
        List<NodeAnswer<Set<String>>> names = voters.votes(BoundedAnswer.joined(questions.time(), asked), listed);
        SetAgreement.requireAll(names);
        return NodeAnswer.present(names).stream()
                .flatMap(Set::stream)
                .filter(ResourceName::isKey)
                .map(ResourceName::name)
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * Returns whether a lock is left.
     *
     * @param closed the number of closed nodes; those of the other set follow them
     */
    private static boolean isLeft(List<NodeAnswer<NodeLockStatus>> nodes, int closed) {
        SetAgreement.requireAll(nodes.subList(0, closed));
        List<NodeLockStatus> others = NodeAnswer.present(nodes.subList(closed, nodes.size()));
        return NodeAnswer.present(nodes.subList(0, closed)).stream()
                .filter(NodeLockStatus::isHeld)
                .anyMatch(held -> !isAmong(others, held));
    }

    /** Returns whether other nodes report the same holder; of a shared lock, all holders. */
    private static boolean isAmong(List<NodeLockStatus> others, NodeLockStatus held) {
        List<NodeLockStatus> same = others.stream()
                .filter(other -> other.holder().equals(held.holder()))
                .toList();
        return !same.isEmpty()
                && same.stream()
                        .flatMap(other -> other.clients().stream())
                        .toList()
                        .containsAll(held.clients());
    }
}
