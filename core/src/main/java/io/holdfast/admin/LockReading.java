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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Readings of locks on all nodes at once: those of the present set, and those of the previous one.
 *
 * @param standings those of the present nodes
 * @param previous those of the previous nodes, of which there may be none
 * @param questions to all nodes
 * @param sets the sets whose majorities decide
 */
record LockReading(NodeStandings standings, NodeStandings previous, NodeQuestions questions, NodeSets sets) {

    static LockReading of(NodeStandings standings, NodeStandings previous) {
        Voters voters =
                Voters.of(standings.questions().nodes(), previous.questions().nodes());
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
                .mapToObj(i -> status(keys.get(i), voting, states.get(i)))
                .toList());
    }

    /** Returns the state of a lock on the nodes that vote, without the descriptions of clients. */
    private LockStatus status(String key, List<NodeStanding> voting, List<NodeAnswer<NodeLockStatus>> answers) {
        return new LockStatus(ResourceName.name(key), votes(voting, answers), previousNodes(), Map.of());
    }

    /** Returns how many of the nodes are of the previous set. */
    int previousNodes() {
        return previous.questions().nodes().size();
    }

    /** Asks all nodes for their standings, and does not wait for them. */
    private List<BoundedAnswer<NodeStanding>> asked() {
        return Stream.concat(standings.asked().stream(), previous.asked().stream())
                .toList();
    }

    /** Replaces the answers of nodes in quarantine by errors. */
    private <T> List<NodeAnswer<T>> votes(List<NodeStanding> voting, List<NodeAnswer<T>> answers) {
        int present = standings.questions().nodes().size();
        int all = answers.size();
        return Stream.concat(
                        standings.votes(voting.subList(0, present), answers.subList(0, present)).stream(),
                        previous.votes(voting.subList(present, all), answers.subList(present, all)).stream())
                .toList();
    }

    /** Throws an exception with the causes if no majority of the nodes could list its locks. */
    private void requireMajority(List<? extends NodeAnswer<?>> answers) {
        String shortage = shortage(answers.stream().map(NodeAnswer::error).toList());
        if (!shortage.isEmpty()) {
            throw new IllegalStateException(shortage);
        }
    }

    /**
     * Returns why a lock may be missing in the lists of the nodes; empty if none can be.
     *
     * @param errors why a node does not list its locks, in order; empty if it does
     */
    String shortage(List<String> errors) {
        long listing = NodeSets.where(errors, String::isEmpty);
        if (sets.isMajority(listing)) {
            return "";
        }
        int present = errors.size() - previousNodes();
        boolean isPrevious = previousNodes() > 0 && (sets.setsGrantedBy(listing) & NodeSets.node(present)) == 0;
        return "only " + share(errors.subList(0, present)) + " servers"
                + (previousNodes() == 0
                        ? ""
                        : ", and " + share(errors.subList(present, errors.size())) + " of the previous set,")
                + " can list their locks; " + questions.causes(errors)
                + (isPrevious ? "; if no client of that set is left, give this one the present set alone" : "");
    }

    private static String share(List<String> errors) {
        return errors.stream().filter(String::isEmpty).count() + " of " + errors.size();
    }

    /** Returns the newest record beside each of these locks. */
    List<LockRecord> records(List<String> names) {
        return group().records(keys(names), sets);
    }

    /** Returns the names of the locks that may have a record, sorted. */
    List<String> recorded() {
        List<NodeAnswer<List<String>>> answers = questions.ask(NodeAdmin::recorded);
        requireMajority(answers);
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
        requireMajority(votes);
        TreeSet<String> names = new TreeSet<>();
        for (NodeAnswer<Set<String>> node : votes) {
            Set<String> known = node.value();
            names.addAll(known == null ? Set.of() : known);
        }
        return questions.named(listing.held(List.copyOf(names), limit, (key, states) -> status(key, voting, states)));
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
