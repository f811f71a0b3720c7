package io.holdfast.admin;

import io.holdfast.node.Diagnosis;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.ResourceName;
import io.holdfast.record.LockRecord;
import io.holdfast.time.Durations;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The view of an administrator: which locks are held and by which holder, and whether the nodes are fit to vote. It
 * takes part in no lock, except that {@link #breakLock} removes one.
 *
 * <p>Thread-safe. Each method blocks until the nodes have answered, at most for six seconds, also if the client is
 * closed meanwhile. Only a list, which reads all keys, {@link #records}, {@link #statuses} and {@link
 * #standings(Duration)} may take longer.
 */
public final class LockAdmin {

    private final List<LockNode> nodes;
    private final Time time;
    private final NodeQuestions questions;
    private final NodeStandings standings;
    private final LockReading locks;
    private final Consumer<String> verifyOwn;

    /**
     * Creates a view of these nodes; use {@code Holdfast.admin()}.
     *
     * @param nodes all nodes of the locks
     * @param config the configuration on which all clients of these nodes agree
     * @param guarded whether restarted nodes must complete a quarantine
     * @param time the clocks and timers
     * @param verifyOwn verifies the leases that this client holds on a resource
     */
    public LockAdmin(
            List<LockNode> nodes, QuorumConfig config, boolean guarded, Time time, Consumer<String> verifyOwn) {
        this(alone(new NodeStandings(new NodeQuestions(nodes, time), config, guarded)), verifyOwn);
    }

    private static LockReading alone(NodeStandings standings) {
        NodeQuestions none = new NodeQuestions(List.of(), standings.questions().time());
        return LockReading.of(standings, new NodeStandings(none, standings.config(), false));
    }

    private LockAdmin(LockReading locks, Consumer<String> verifyOwn) {
        this.locks = locks;
        this.standings = locks.standings();
        this.questions = standings.questions();
        this.nodes = questions.nodes();
        this.time = questions.time();
        this.verifyOwn = verifyOwn;
    }

    /**
     * Returns a view of the locks on these nodes and on those of the previous set, whose replies follow those of the
     * present one. {@link #admit}, {@link #standings()} and {@link #examine} ask only the present nodes.
     */
    public LockAdmin withPrevious(LockAdmin previous) {
        return new LockAdmin(LockReading.of(standings, previous.standings), verifyOwn);
    }

    /** Returns a view of the locks on the nodes of the previous set alone; empty if this client has one set. */
    public Optional<LockAdmin> previous() {
        return locks.previous().questions().nodes().isEmpty()
                ? Optional.empty()
                : Optional.of(new LockAdmin(alone(locks.previous()), resource -> {}));
    }

    /**
     * Returns the change from the previous set of nodes to the present one.
     *
     * @throws IllegalStateException if this client has no previous nodes
     */
    public NodeChange change() {
        LockAdmin before = previous()
                .orElseThrow(() -> new IllegalStateException("this client has one set of nodes;"
                        + " give it the previous one as well, with previousNodes or --previous-nodes"));
        return new NodeChange(standings, before.standings);
    }

    /**
     * Returns the state of the lock on each node. Takes no part in the lock. A node that does not answer within 2 s has
     * an error in place of a state. So has a node in quarantine, which may have forgotten the lock, and a node that
     * keeps data of another type under the name.
     *
     * @throws IllegalArgumentException if the name is empty or has half of a character, as a cut text may have
     */
    public LockStatus status(String resource) {
        return statuses(Collections.singletonList(resource)).get(0);
    }

    /**
     * Returns the states of these locks, in order, as {@link #status} does. Blocks at most for 2 s for each 500 of
     * them, and for 2 s more; a node that misses this limit is not asked again.
     *
     * @throws IllegalArgumentException as {@link #status} does, for one of the names
     */
    public List<LockStatus> statuses(List<String> resources) {
        return locks.statuses(resources);
    }

    /**
     * Returns the record beside the lock: what its last holder has written. Unlike the holder itself, an administrator
     * may find a text that is being replaced. A node that does not answer within 2 s is left out.
     *
     * @return the newest record, possibly none; it is not {@linkplain LockRecord#isCompleteSince complete} if too few
     *     nodes have answered
     * @throws IllegalArgumentException if the name is empty or has half of a character, as a cut text may have
     */
    public LockRecord record(String resource) {
        return records(Collections.singletonList(resource)).get(0);
    }

    /**
     * Returns the records beside these locks, in order, as {@link #record} does. Blocks at most for 2 s for each 500 of
     * them; a node that misses this limit is not asked again.
     *
     * @throws IllegalArgumentException as {@link #record} does, for one of the names
     */
    public List<LockRecord> records(List<String> resources) {
        return locks.records(resources);
    }

    /**
     * Returns the names of the locks that may have a record beside them, sorted. A node lists them with the record, so
     * this reads one key of each node, for which it waits at most 2 s. A name is that of {@link #record}.
     *
     * @throws IllegalStateException if no majority of the nodes answers, so that a name could be missing
     */
    public List<String> recorded() {
        return locks.recorded();
    }

    /**
     * Returns all locks that are held on at least one node, or whose state is unknown, sorted by name. Iterates over
     * all keys of the nodes in pages, so that other clients are served in between. A node that does not send a page
     * within 3 s has failed, and is not asked again.
     *
     * <p>Blocks for some seconds for each million keys, at most for three minutes and some seconds: two minutes for the
     * names, of which a node may send 500,000, and one minute for the states. A state that was not read in time is
     * unknown.
     *
     * @throws IllegalStateException if no majority of the nodes answers, so that a held lock could be missing
     */
    public List<LockStatus> list() {
        return list(Integer.MAX_VALUE);
    }

    /**
     * Returns the first of the locks of {@link #list()}, by name. Iterates over all keys as well, but asks for few more
     * states than needed.
     *
     * @param limit the greatest number of locks, zero or more
     * @throws IllegalArgumentException if the limit is negative
     * @throws IllegalStateException if no majority of the nodes answers, so that a held lock could be missing
     */
    public List<LockStatus> list(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("limit " + limit + " is negative; give zero or a number of locks");
        }
        return locks.held(limit);
    }

    /** Returns a view of all locks that is read again and again, at a bounded cost for the nodes. */
    public LockWatch watch() {
        return new LockWatch(locks);
    }

    /**
     * Returns the clients that wait for each other, among those that hold these locks or wait for them; see {@link
     * WaitCycle}. If some seem to, waits for a second, and reads their locks again: what lasts is no illusion of locks
     * that were read one after the other. Checks no more than 500 locks again.
     *
     * @param read the states of locks, as {@link #list()} has just returned them
     */
    public List<WaitCycle> waitCycles(List<LockStatus> read) {
        return WaitGraph.lastingCycles(read, locks);
    }

    /**
     * Removes the lock from its holder, on all nodes, without a note; see {@link #breakLock(String, String)}.
     *
     * @return for each node, whether the lock was held there
     * @throws IllegalArgumentException if the name is empty or has half of a character, as a cut text may have
     */
    public List<NodeAnswer<Boolean>> breakLock(String resource) {
        return breakLock(resource, "");
    }

    /**
     * Removes the lock from its holder, on all nodes. A holder that is this client loses its lease as soon as the nodes
     * have confirmed that, any other at its next renewal. Until then, and forever if the holder does not check its
     * lease, two clients may use the resource. Use this only if the holder has ended, or can do no harm. A node that
     * keeps data of another type under the name reports a failure, and keeps the data.
     *
     * @param note such as the administrator's name, at most 1,024 characters; {@link #status} contains it for a minute,
     *     unless another client acquires the lock
     * @return for each node, whether the lock was held there; see {@link LockStatus#isEndedBy}
     * @throws IllegalArgumentException if the name is empty or has half of a character, or if the note is too long
     */
    public List<NodeAnswer<Boolean>> breakLock(String resource, String note) {
        String key = ResourceName.listed(resource);
        NodeLockStatus.Note.require(note);
        List<NodeAnswer<Boolean>> answers = locks.questions().ask(node -> node.evict(key, note));
        verifyOwn.accept(key);
        return answers;
    }

    /**
     * Admits servers that have never held a lock: ends their quarantine at once, until they are restarted, and makes
     * the options of this client those of all clients. A server that has voted before, or that replaces such a server,
     * has to complete its quarantine: otherwise two clients may hold one lock. A vote of another node shows that the
     * set has been in use, so no node in quarantine is admitted then. Nor is a node that does not answer within 2 s, or
     * one of this set that accepts only clients of two. For a client without quarantines, each node that answers votes;
     * the client changes only nodes of another set. Blocks for two round trips.
     *
     * @return for each node, in order, {@code true} if it votes now, or the reason why it does not
     */
    public List<NodeAnswer<Boolean>> admit() {
        List<NodeStanding> all = standings.admit();
        return IntStream.range(0, nodes.size())
                .mapToObj(i -> standings.admitted(nodes.get(i).name(), all.get(i), all))
                .toList();
    }

    /**
     * Asks each node whether it votes, and changes nothing at it. If this client has no quarantine, every node that
     * answers counts as voting. Unlike {@code Holdfast.nodes()}, which knows what claims have shown, it also finds
     * nodes that belong to another set of nodes. A node that does not answer within 2 s is unreachable.
     *
     * @return the condition of each node, in order
     */
    public List<NodeStatus> standings() {
        return standings(NodeQuestions.ANSWER_LIMIT);
    }

    /**
     * Asks each node whether it votes, as {@link #standings()} does.
     *
     * @param limit the longest wait; a node that does not answer by then is unreachable. Zero or less: no node is
     *     waited for
     * @return the condition of each node, in order
     */
    public List<NodeStatus> standings(Duration limit) {
        List<NodeStanding> all = BoundedAnswer.joined(
                questions.time(),
                standings.within(Durations.longer(Duration.ZERO, Durations.shorter(limit, Durations.FOREVER))));
        return conditions(all.stream().map(standings::counted).toList());
    }

    private List<NodeStatus> conditions(List<NodeStanding> all) {
        return IntStream.range(0, nodes.size())
                .mapToObj(i -> standings.status(nodes.get(i), all.get(i)))
                .toList();
    }

    /**
     * Examines whether each node is fit to vote: its configuration, its rights, its clock, its quarantine.
     *
     * @return for each node, in order, the facts and the findings; a node that does not answer has a finding that says
     *     so
     */
    public List<NodeAnswer<Diagnosis>> examine() {
        List<BoundedAnswer<Diagnosis>> examined =
                nodes.stream().map(questions::examined).toList();
        List<NodeStanding> all = BoundedAnswer.joined(time, standings.within(NodeQuestions.ANSWER_LIMIT));
        List<Diagnosis> diagnoses = BoundedAnswer.joined(time, examined);
        return IntStream.range(0, nodes.size())
                .mapToObj(i -> NodeAnswer.of(nodes.get(i).name(), standings.added(diagnoses.get(i), all.get(i))))
                .toList();
    }
}
