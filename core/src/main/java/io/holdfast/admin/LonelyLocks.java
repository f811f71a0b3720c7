package io.holdfast.admin;

import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.ResourceName;
import io.holdfast.time.ThreadWait;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The locks of clients that have only one of two sets of nodes: on these nodes of it, and not on the other set.
 *
 * @param nodes of the one set, all of which have to answer
 * @param others all nodes of the other one
 */
record LonelyLocks(NodeStandings nodes, NodeStandings others) {

    /** A client of both sets has a lock on one of them for this time at most, while it acquires or releases it. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    private static final int READINGS = 5;

    /** Returns the locks that are of the same holders in several readings. */
    List<LockStatus> read() {
        LockReading locks = LockReading.of(nodes, others);
        Map<String, Set<String>> found = holders(locks, used(names()));
        for (int i = 1; i < READINGS && !found.isEmpty(); i++) {
            ThreadWait.uninterruptibly(locks.time()::await, new CompletableFuture<>(), PAUSE);
            Map<String, Set<String>> again = holders(locks, found.keySet());
            found.forEach((name, holders) -> holders.retainAll(again.getOrDefault(name, Set.of())));
            found.values().removeIf(Set::isEmpty);
        }
        return locks.statuses(List.copyOf(found.keySet()));
    }

    private List<String> names() {
        NodeQuestions questions = nodes.questions();
        List<BoundedAnswer<NodeStanding>> asked = nodes.asked();
        List<NodeAnswer<Set<String>>> listed =
                new LockListing(questions.nodes(), questions.time()).names(Integer.MAX_VALUE);
        List<NodeAnswer<Set<String>>> names = nodes.votes(BoundedAnswer.joined(questions.time(), asked), listed);
        SetAgreement.requireAll(names, "list their locks");
        return NodeAnswer.present(names).stream()
                .flatMap(Set::stream)
                .filter(ResourceName::isKey)
                .map(ResourceName::name)
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns those that are not free: a node knows the names of locks for half an hour longer. */
    private List<String> used(List<String> names) {
        List<List<Integer>> marks = new GroupQuestions(
                        nodes.questions().nodes(), nodes.questions().time())
                .marks(names.stream().map(ResourceName::listed).toList());
        return IntStream.range(0, names.size())
                .filter(i -> marks.get(i).stream().anyMatch(mark -> mark != NodeAdmin.FREE))
                .mapToObj(names::get)
                .toList();
    }

    /** Returns the holders of each of these locks that only the one set has. */
    private Map<String, Set<String>> holders(LockReading locks, Collection<String> names) {
        Map<String, Set<String>> found = new TreeMap<>();
        for (List<String> group : GroupQuestions.groups(List.copyOf(names))) {
            locks.statuses(group).forEach(lock -> found.put(lock.resource(), holders(lock)));
        }
        found.values().removeIf(Set::isEmpty);
        return found;
    }

    private Set<String> holders(LockStatus lock) {
        int count = nodes.questions().nodes().size();
        SetAgreement.requireAll(lock.nodes().subList(0, count), "say who holds '" + lock.resource() + "'");
        Set<String> holders = holders(lock.nodes().subList(0, count));
        holders.removeAll(holders(lock.nodes().subList(count, lock.nodes().size())));
        return holders;
    }

    private static Set<String> holders(List<NodeAnswer<NodeLockStatus>> answers) {
        return NodeAnswer.present(answers).stream()
                .filter(NodeLockStatus::isHeld)
                .flatMap(LonelyLocks::holders)
                .collect(Collectors.toCollection(HashSet::new));
    }

    /** Returns a name of each holder: the mark of an exclusive one, and the clients of shared ones. */
    private static Stream<String> holders(NodeLockStatus held) {
        return held.shares() > 0 ? held.clients().stream() : Stream.of(held.holder());
    }
}
