package io.holdfast.admin;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.ResourceName;
import io.holdfast.quorum.Voters;
import io.holdfast.record.LockRecord;
import io.holdfast.time.ThreadWait;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Readings of locks on the nodes of a set, and on those of the previous set.
 *
 * @param standings those of the nodes of the set
 * @param previous reads the previous set; null if there is none
 */
record LockReading(NodeStandings standings, @Nullable LockReading previous) {

    /** The time after which clients that still wait for each other are reported. */
    private static final Duration CONFIRMATION = Duration.ofSeconds(1);

    /** Returns all nodes, and the sets whose majorities decide. */
    Voters voters() {
        return Voters.of(nodes(), previous == null ? List.of() : previous.nodes());
    }

    /** Returns the states of the locks with these names, asked for in groups. */
    List<LockStatus> statuses(List<String> names) {
        List<LockStatus> present = standings.questions().named(states(names));
        if (previous == null) {
            return present;
        }
        List<LockStatus> before = previous.statuses(names);
        return IntStream.range(0, names.size())
                .mapToObj(i -> present.get(i).with(before.get(i)))
                .toList();
    }

    /** Returns the states on the nodes of this set, without the descriptions of clients. */
    private List<LockStatus> states(List<String> names) {
        List<BoundedAnswer<NodeStanding>> asked = standings.asked();
        List<String> keys = keys(names);
        List<List<NodeAnswer<NodeLockStatus>>> states = new GroupQuestions(nodes(), time()).states(keys);
        List<NodeStanding> voting = BoundedAnswer.joined(time(), asked);
        return IntStream.range(0, keys.size())
                .mapToObj(i -> new LockStatus(
                        ResourceName.name(keys.get(i)), standings.votes(voting, states.get(i)), Map.of()))
                .toList();
    }

    /** Returns the newest record beside each of these locks. */
    List<LockRecord> records(List<String> names) {
        Voters voters = voters();
        return new GroupQuestions(voters.nodes(), time()).records(keys(names), voters.sets());
    }

    /** Returns the names of the locks that may have a record, sorted. */
    List<String> recorded() {
        List<NodeAnswer<List<String>>> answers = standings.questions().ask(NodeAdmin::recorded);
        LockListing.requireMajority(answers);
        Stream<String> names = NodeAnswer.present(answers).stream()
                .flatMap(List::stream)
                .filter(ResourceName::isKey)
                .map(ResourceName::name);
        return Stream.concat(names, previous == null ? Stream.empty() : previous.recorded().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the first of the locks that are held on at least one node, or whose state is unknown. */
    List<LockStatus> held(int limit) {
        List<LockStatus> present = heldInSet(limit);
        return previous == null
                ? present
                : statuses(Stream.of(present, previous.held(limit))
                        .flatMap(List::stream)
                        .map(LockStatus::resource)
                        .distinct()
                        .sorted()
                        .limit(limit)
                        .toList());
    }

    private List<LockStatus> heldInSet(int limit) {
        List<BoundedAnswer<NodeStanding>> asked = standings.asked();
        LockListing listing = new LockListing(nodes(), time());
        List<NodeAnswer<Set<String>>> answers = listing.names();
        List<NodeStanding> voting = BoundedAnswer.joined(time(), asked);
        List<NodeAnswer<Set<String>>> votes = standings.votes(voting, answers);
        LockListing.requireMajority(votes);
        TreeSet<String> names = new TreeSet<>();
        for (NodeAnswer<Set<String>> node : votes) {
            Set<String> known = node.value();
            names.addAll(known == null ? Set.of() : known);
        }
        return standings
                .questions()
                .named(listing.held(List.copyOf(names), limit, states -> standings.votes(voting, states)));
    }

    /** Returns the cycles in a reading of locks that a second one, a second later, confirms. */
    List<WaitCycle> waitCycles(List<LockStatus> locks) {
        WaitGraph graph = WaitGraph.of(locks);
        List<String> suspects =
                graph.suspects().stream().limit(GroupQuestions.LARGEST_GROUP).toList();
        if (suspects.isEmpty()) {
            return List.of();
        }
        ThreadWait.uninterruptibly(time()::await, new CompletableFuture<>(), CONFIRMATION);
        return graph.common(WaitGraph.of(statuses(suspects))).cycles();
    }

    private static List<String> keys(List<String> names) {
        return names.stream().map(ResourceName::listed).toList();
    }

    private List<LockNode> nodes() {
        return standings.questions().nodes();
    }

    private Time time() {
        return standings.questions().time();
    }
}
