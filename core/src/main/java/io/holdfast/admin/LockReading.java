package io.holdfast.admin;

import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.ResourceName;
import io.holdfast.quorum.NodeSets;
import io.holdfast.quorum.Voters;
import io.holdfast.record.LockRecord;
import io.holdfast.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Readings of locks on all nodes at once: those of the present set, and those of the previous one.
 *
 * @param standings those of the present nodes
 * @param previous those of the previous nodes; null if there are none
 * @param questions to all nodes
 * @param sets the sets whose majorities decide
 */
record LockReading(NodeStandings standings, @Nullable NodeStandings previous, NodeQuestions questions, NodeSets sets) {

    static LockReading of(NodeStandings standings, @Nullable NodeStandings previous) {
        Voters voters = Voters.of(
                standings.questions().nodes(),
                previous == null ? List.of() : previous.questions().nodes());
        return new LockReading(
                standings,
                previous,
                new NodeQuestions(voters.nodes(), standings.questions().time()),
                voters.sets());
    }

    /** Returns the states of the locks with these names, asked for in groups. */
    List<LockStatus> statuses(List<String> names) {
        List<String> keys = keys(names);
        List<BoundedAnswer<NodeStanding>> asked = asked();
        List<List<NodeAnswer<NodeLockStatus>>> states = group().states(keys);
        List<NodeStanding> voting = BoundedAnswer.joined(time(), asked);
        return questions.named(IntStream.range(0, keys.size())
                .mapToObj(i -> LockStatus.of(keys.get(i), votes(voting, states.get(i)), presentNodes()))
                .toList());
    }

    /** Asks all nodes for their standings, and does not wait for them. */
    private List<BoundedAnswer<NodeStanding>> asked() {
        List<BoundedAnswer<NodeStanding>> asked = new ArrayList<>(standings.asked());
        asked.addAll(previous == null ? List.of() : previous.asked());
        return asked;
    }

    /** Replaces the answers of nodes in quarantine by errors. */
    private <T> List<NodeAnswer<T>> votes(List<NodeStanding> voting, List<NodeAnswer<T>> answers) {
        if (previous == null) {
            return standings.votes(voting, answers);
        }
        int count = presentNodes();
        int all = answers.size();
        List<NodeAnswer<T>> votes =
                new ArrayList<>(standings.votes(voting.subList(0, count), answers.subList(0, count)));
        votes.addAll(previous.votes(voting.subList(count, all), answers.subList(count, all)));
        return votes;
    }

    private int presentNodes() {
        return standings.questions().nodes().size();
    }

    /** Returns the newest record beside each of these locks. */
    List<LockRecord> records(List<String> names) {
        return group().records(keys(names), sets);
    }

    /** Returns the names of the locks that may have a record, sorted. */
    List<String> recorded() {
        List<NodeAnswer<List<String>>> answers = questions.ask(NodeAdmin::recorded);
        LockListing.requireMajority(answers, sets);
        return NodeAnswer.present(answers).stream()
                .flatMap(List::stream)
                .filter(ResourceName::isKey)
                .map(ResourceName::name)
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns the first of the locks that are held on at least one node, or whose state is unknown. */
    List<LockStatus> held(int limit) {
        List<BoundedAnswer<NodeStanding>> asked = asked();
        LockListing listing = new LockListing(questions.nodes(), time());
        List<NodeAnswer<Set<String>>> answers = listing.names();
        List<NodeStanding> voting = BoundedAnswer.joined(time(), asked);
        List<NodeAnswer<Set<String>>> votes = votes(voting, answers);
        LockListing.requireMajority(votes, sets);
        TreeSet<String> names = new TreeSet<>();
        for (NodeAnswer<Set<String>> node : votes) {
            Set<String> known = node.value();
            names.addAll(known == null ? Set.of() : known);
        }
        return questions.named(listing.held(
                List.copyOf(names), limit, (key, states) -> LockStatus.of(key, votes(voting, states), presentNodes())));
    }

    private static List<String> keys(List<String> names) {
        return names.stream().map(ResourceName::listed).toList();
    }

    private GroupQuestions group() {
        return new GroupQuestions(questions.nodes(), time());
    }

    Time time() {
        return questions.time();
    }
}
