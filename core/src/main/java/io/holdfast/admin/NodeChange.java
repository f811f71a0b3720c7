package io.holdfast.admin;

import io.holdfast.lease.Owner;
import io.holdfast.node.NodeAnswer;
import java.security.SecureRandom;
import java.util.List;
import java.util.stream.Stream;

/**
 * The change from the previous set of nodes to the present one, without a stop. It is recorded on the nodes: each of
 * them accepts either all clients of its set, or only those that have both sets. The two sets never accept clients that
 * have them alone at the same time, since these do not exclude each other.
 *
 * <p>The change has three steps towards the present nodes: they accept only clients of both sets; so do the previous
 * ones; the present ones accept all clients. The last step is possible once no client of the previous set alone holds a
 * lock. Such a client keeps its locks and extends them, but acquires no other one. What interrupts a step leaves it
 * where it can be completed, or taken back.
 *
 * <p>Thread-safe. Several administrators may work at once, also with opposite intentions: a step that another one has
 * overtaken fails. Each method blocks until the nodes have answered, for a few round trips of at most two seconds each.
 * A step that reads the names of all locks may take two minutes more.
 */
public final class NodeChange {

    private static final SecureRandom RANDOM = new SecureRandom();

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
        /** Not known: no majority of the nodes has answered, or agrees. */
        UNKNOWN
    }

    /**
     * The state of a change.
     *
     * @param present which clients the present nodes accept: those that a majority accepts
     * @param previous which clients the previous nodes accept
     * @param nodes which clients each node accepts, those of the previous set last
     * @param presentNodes how many of them are of the present set
     * @param left the locks whose holders have only the set that is to be left, which keep the last step from being
     *     taken; usually none
     * @param obstacle why no step can be taken with these two sets, such as another change in which one takes part;
     *     empty if they fit, as far as the nodes answer
     */
    public record State(
            Access present,
            Access previous,
            List<NodeAnswer<Access>> nodes,
            int presentNodes,
            List<LockStatus> left,
            String obstacle) {

        /** Creates a state. */
        public State {
            nodes = List.copyOf(nodes);
            left = List.copyOf(left);
        }
    }

    /** Returns the state of the change, without locks that are left. Changes nothing. */
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
                ofPresent.answers().size(),
                left,
                ofPresent.obstacle(ofPrevious));
    }

    /**
     * Returns the locks that clients of one of the sets alone hold at this moment.
     *
     * @throws IllegalStateException if a node does not answer: it could have a lock that no other one has
     */
    public List<LockStatus> apart() {
        return Stream.concat(
                        new LonelyLocks(previous, present).read().stream(),
                        new LonelyLocks(present, previous).read().stream())
                .toList();
    }

    /**
     * Takes the next step towards the present nodes; completes the last one if a node has missed it that answers now.
     *
     * @return the state of the change now. If locks are {@linkplain State#left left}, the last step was not taken; try
     *     again when they have been released
     * @throws IllegalStateException if no majority of a set answers and belongs to these clients, or if a set takes
     *     part in another change. Also if another administrator has changed the nodes meanwhile, or if a node cannot
     *     record a change, as a cluster cannot
     */
    public State next() {
        return step(present, previous);
    }

    /**
     * Takes the next step back to the previous nodes; completes the last one if a node has missed it that answers now.
     *
     * @return as {@link #next} does
     * @throws IllegalStateException as {@link #next} does
     */
    public State back() {
        return step(previous, present);
    }

    /**
     * Takes the step that is needed when a set has no record of the change: an administrator says that it has lost its
     * data. If the present nodes accept all clients already, the previous ones are closed again; if clients of the
     * previous nodes alone hold locks, the present ones as well. Else, the change begins again.
     *
     * @return as {@link #next} does
     * @throws IllegalStateException as {@link #next} does, except for the other change
     */
    public State restart() {
        SetAgreement ofPresent = required(present, previous);
        SetAgreement ofPrevious = required(previous, present);
        String change = ofPresent.change().isEmpty() ? ofPrevious.change() : ofPresent.change();
        boolean isForgotten = ofPrevious.change().isEmpty() && !change.isEmpty();
        return ofPresent.access() == Access.ALL && (isForgotten || ofPrevious.access() == Access.BOTH)
                ? leave(ofPrevious, ofPresent, change)
                : begin(ofPresent, ofPrevious);
    }

    /**
     * The marks of all nodes are read before any is written. So if two administrators close one set each and open the
     * other one, one of them finds a mark that it has not read.
     */
    private State step(NodeStandings to, NodeStandings from) {
        SetAgreement ofTo = required(to, from);
        SetAgreement ofFrom = required(from, to);
        if (ofTo.beginsFrom(ofFrom)) {
            return begin(ofTo, ofFrom);
        }
        ofTo.requireSameChange(ofFrom);
        if (ofTo.access() != Access.ALL && ofFrom.access() != Access.BOTH) {
            (ofTo.isAll(Access.BOTH) ? ofFrom : ofTo).closed(SetAgreement.step(ofTo, ofFrom, ofTo.change()));
        } else if (!ofTo.isAll(Access.ALL) || !ofFrom.isAll(Access.BOTH)) {
            return leave(ofFrom, ofTo, ofTo.change());
        }
        return state(List.of());
    }

    /**
     * Opens the one set if no client has the other one alone. Such a client may have locks although the one set is open
     * already, if the other one has lost its data. Then both are closed.
     */
    private State leave(SetAgreement ofFrom, SetAgreement ofTo, String change) {
        String step = SetAgreement.step(ofFrom, ofTo, change);
        SetAgreement closed = ofFrom.closed(step);
        List<LockStatus> left;
        boolean isFree = false;
        try {
            left = new LonelyLocks(closed.answering(), ofTo.set()).read();
            closed = closed.kept();
            isFree = left.isEmpty();
        } finally {
            if (!isFree && ofTo.access() == Access.ALL) {
                ofTo.closed(step);
            }
        }
        if (isFree) {
            ofTo.opened(closed.fence(), step);
        }
        return state(left);
    }

    /** The set to be left is marked first. A node of both sets then has another mark than the one that was read. */
    private State begin(SetAgreement ofTo, SetAgreement ofFrom) {
        String step = SetAgreement.step(ofFrom, ofTo, Owner.fresh(RANDOM).token());
        ofFrom.marked(step);
        ofTo.closed(step);
        return state(List.of());
    }

    private static SetAgreement read(NodeStandings set, NodeStandings other) {
        return SetAgreement.read(set.beside(other));
    }

    private static SetAgreement required(NodeStandings set, NodeStandings other) {
        return SetAgreement.required(set.beside(other));
    }
}
