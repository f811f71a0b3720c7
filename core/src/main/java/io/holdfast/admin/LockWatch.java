package io.holdfast.admin;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.ResourceName;
import io.holdfast.time.Moment;
import io.holdfast.time.ThreadWait;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All locks that are held or waited for, read again and again at a bounded cost. A reading costs a node one command for
 * hundreds of holders and one for each queue, and five more for each lock that has changed, or whose state is older
 * than three seconds.
 *
 * <p>The names are read round and round, at most 4,000 keys of a node per second. So a lock that is acquired for the
 * first time may be missing until its key is read; {@link Reading#names} says how far the round is. A lock that was
 * held before is checked in each reading, up to some thousands of them.
 *
 * <p>Used by one thread.
 */
public final class LockWatch {

    /** The longest wait for a node, before the reading goes on without it. */
    private static final Duration PATIENCE = Duration.ofMillis(400);

    /** The most locks of a reading. */
    private static final int MOST_LOCKS = 5_000;

    /** The most free locks that are checked in each reading, since they were held, or may be held again. */
    private static final int MOST_FREE = 2_000;

    /** The most locks of a reading that begin to be watched. */
    private static final int MOST_NEW = 1_000;

    private final LockReading all;
    /** The nodes of both sets, those of the previous one last. */
    private final List<LockNode> nodes;

    private final Time time;
    private final List<NodePulse> pulses;
    private final List<NameSweep> sweeps;
    private final Map<String, WatchedLock> locks = new TreeMap<>();
    private final List<WatchedLock> freed = new ArrayList<>();
    /** The keys of free locks, the one that was freed last at the end. */
    private final Set<String> free = new LinkedHashSet<>();

    private List<String> refusals = List.of();
    /** The locks that this reading has left out, of those whose names were read lately. */
    private int left;
    /** The most locks that a reading has left out since there was room for others. */
    private int mostLeft;

    LockWatch(LockReading all) {
        this.all = all;
        this.nodes = all.questions().nodes();
        this.time = all.time();
        this.pulses = NodePulse.of(all);
        this.sweeps = nodes.stream().map(NameSweep::new).toList();
    }

    /**
     * The state of all nodes and locks at one moment. Immutable.
     *
     * @param at when it began
     * @param nodes the condition of each node of the present set, in order
     * @param previous the condition of each node of the previous set; usually none
     * @param locks the locks that are held, are waited for, or have an unknown state, and those that became free since
     *     the last reading
     * @param names whether a lock may be missing
     */
    public record Reading(
            Moment at, List<ObservedNode> nodes, List<ObservedNode> previous, List<ObservedLock> locks, Names names) {}

    /**
     * A node in a reading.
     *
     * @param status its condition
     * @param delay how long it took to answer; empty if it did not
     */
    public record ObservedNode(NodeStatus status, Optional<Duration> delay) {}

    /**
     * A lock in a reading.
     *
     * @param status its state
     * @param read when the state was read, at most some seconds ago
     */
    public record ObservedLock(LockStatus status, Moment read) {}

    /**
     * The names in a reading.
     *
     * @param isComplete whether a majority of the nodes of each set, which knows its locks, has listed all names at
     *     least once
     * @param keys about how many keys a node has; while they are not complete, how many of them were read
     * @param left how many locks in use are left out at least, since there are too many
     * @param error why names are missing: too few nodes answer, or one does not list its names; empty if none are
     */
    public record Names(boolean isComplete, long keys, int left, String error) {}

    /**
     * Reads the state of all nodes and locks. Blocks for three round trips, at most for about three seconds; a node
     * that does not answer delays a reading once, not each of them.
     */
    public Reading read() {
        Moment begun = time.now();
        List<CompletableFuture<?>> open = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            open.add(pulses.get(i).ask());
            if (pulses.get(i).isAwaited()) {
                open.add(sweeps.get(i).step(begun));
            }
        }
        ThreadWait.uninterruptibly(time::await, BoundedAnswer.allOf(open), PATIENCE);
        List<String> before = refusals;
        refusals = pulses.stream().map(NodePulse::refusal).toList();
        GroupQuestions group = new GroupQuestions(nodes, time, PATIENCE);
        IntStream.range(0, nodes.size()).forEach(i -> group.skip(i, refusals.get(i)));
        observe(group, !kinds(before).equals(kinds(refusals)));
        List<ObservedLock> observed = Stream.concat(locks.values().stream(), freed.stream())
                .map(lock -> new ObservedLock(lock.status(), lock.read()))
                .toList();
        freed.clear();
        int present = nodes.size() - all.previousNodes();
        return new Reading(
                begun,
                observed(pulses.subList(0, present)),
                observed(pulses.subList(present, nodes.size())),
                observed,
                names());
    }

    private static List<ObservedNode> observed(List<NodePulse> pulses) {
        return pulses.stream()
                .map(pulse -> new ObservedNode(pulse.status(), pulse.delay()))
                .toList();
    }

    private static List<Boolean> kinds(List<String> refusals) {
        return refusals.stream().map(String::isEmpty).toList();
    }

    /** Reads the marks of all names, and the states of those that are due. */
    private void observe(GroupQuestions group, boolean areAllDue) {
        Set<String> all = new LinkedHashSet<>(locks.keySet());
        all.addAll(free);
        Set<String> swept = new HashSet<>();
        sweeps.forEach(sweep -> swept.addAll(sweep.take()));
        all.addAll(swept);
        List<String> names = List.copyOf(all);
        List<List<Integer>> marks = group.marks(names);
        Moment now = time.now();
        Map<String, List<Integer>> due = new LinkedHashMap<>();
        left = 0;
        int found = 0;
        for (int i = 0; i < names.size(); i++) {
            WatchedLock known = locks.get(names.get(i));
            boolean isDue = known == null
                    ? isInUse(names.get(i), marks.get(i), swept) && found++ < MOST_NEW
                    : areAllDue || known.isDue(marks.get(i), now);
            if (isDue) {
                due.put(names.get(i), marks.get(i));
            }
        }
        GroupQuestions.groups(List.copyOf(due.keySet())).forEach(some -> inspect(group, some, due));
        mostLeft = locks.size() < MOST_LOCKS ? left : Math.max(left, mostLeft);
    }

    /** Returns whether a lock that is not watched is in use; if not, keeps its name while there is space. */
    private boolean isInUse(String name, List<Integer> marks, Set<String> swept) {
        boolean isUnread = marks.stream().allMatch(mark -> mark == NodeAdmin.UNKNOWN);
        boolean isFree = isUnread
                ? !swept.contains(name)
                : marks.stream().allMatch(mark -> mark == NodeAdmin.FREE || mark == NodeAdmin.UNKNOWN);
        if (isFree && free.size() < MOST_FREE) {
            free.add(name);
        } else if (!isFree && locks.size() >= MOST_LOCKS) {
            left++;
        }
        return !isFree && locks.size() < MOST_LOCKS;
    }

    private void inspect(GroupQuestions group, List<String> names, Map<String, List<Integer>> marks) {
        List<List<NodeAnswer<NodeLockStatus>>> states =
                group.ask(names, (node, name) -> node.admin().inspect(name));
        int previous = all.previousNodes();
        List<LockStatus> statuses = all.questions()
                .named(IntStream.range(0, names.size())
                        .mapToObj(
                                i -> new LockStatus(ResourceName.name(names.get(i)), states.get(i), previous, Map.of()))
                        .toList());
        Moment now = time.now();
        for (int i = 0; i < names.size(); i++) {
            put(names.get(i), statuses.get(i), marks.getOrDefault(names.get(i), List.of()), now);
        }
    }

    private void put(String name, LockStatus status, List<Integer> marks, Moment now) {
        WatchedLock known = locks.get(name);
        Moment changed = known != null && known.marks().equals(marks) ? known.changed() : now;
        WatchedLock lock = new WatchedLock(status, now, marks, changed);
        if (lock.isFree()) {
            if (locks.remove(name) != null) {
                freed.add(lock);
            }
            free.remove(name);
            free.add(name);
            if (free.size() > MOST_FREE) {
                free.remove(free.iterator().next());
            }
        } else if (known != null || locks.size() < MOST_LOCKS) {
            free.remove(name);
            locks.put(name, lock);
        } else {
            left++;
        }
    }

    private Names names() {
        List<NameSweep.Progress> known = IntStream.range(0, nodes.size())
                .filter(i -> refusals.get(i).isEmpty())
                .mapToObj(i -> sweeps.get(i).progress())
                .toList();
        String shortage = all.shortage(refusals);
        return new Names(
                shortage.isEmpty() && known.stream().allMatch(NameSweep.Progress::isComplete),
                known.stream().mapToLong(NameSweep.Progress::keys).max().orElse(0),
                mostLeft,
                Stream.concat(Stream.of(shortage), known.stream().map(NameSweep.Progress::error))
                        .filter(error -> !error.isEmpty())
                        .findFirst()
                        .orElse(""));
    }
}
