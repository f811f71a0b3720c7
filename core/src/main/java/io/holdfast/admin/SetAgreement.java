package io.holdfast.admin;

import io.holdfast.admin.NodeChange.Access;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.LockNode;
import io.holdfast.node.Majority;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeAdmin.Agreement;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStanding.Agreed;
import io.holdfast.node.QuorumConfig;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which clients the nodes of one set accept.
 *
 * @param set all nodes of the set, with the configuration on which closed nodes agree: that of a client of both sets
 * @param answers those of the nodes, in order; a node in quarantine has none, since it may have forgotten its own
 * @param marks those of the nodes that a step may change: also of a node that takes part in another change
 */
record SetAgreement(NodeStandings set, List<NodeAnswer<Agreement>> answers, List<NodeAnswer<String>> marks) {

    private static final SecureRandom RANDOM = new SecureRandom();

    private SetAgreement(NodeStandings set, List<NodeAnswer<Agreement>> answers) {
        this(
                set,
                answers,
                answers.stream().map(node -> node.map(Agreement::mark)).toList());
    }

    /**
     * Asks all nodes of a set, as a client that has the other one as well. If a majority fits that client, the other
     * answers are errors. They may be of an earlier change, which the next step ends.
     */
    static SetAgreement read(NodeStandings set) {
        List<BoundedAnswer<NodeStanding>> asked = set.asked();
        List<NodeAnswer<Agreement>> answers = set.questions().ask(NodeAdmin::agreement);
        List<NodeAnswer<Agreement>> known =
                set.votes(BoundedAnswer.joined(set.questions().time(), asked), answers);
        List<NodeAnswer<Agreement>> fitting =
                known.stream().map(node -> fitting(node, set.config())).toList();
        List<NodeAnswer<String>> marks = IntStream.range(0, known.size())
                .mapToObj(i -> isOfSet(known.get(i), set.config()) ? known.get(i) : fitting.get(i))
                .map(node -> node.map(Agreement::mark))
                .toList();
        return new SetAgreement(set, isMajority(fitting) ? fitting : known, marks);
    }

    private static NodeAnswer<Agreement> fitting(NodeAnswer<Agreement> node, QuorumConfig both) {
        String misfit = misfit(node, both);
        return misfit.isEmpty() ? node : NodeAnswer.failed(node.node(), misfit);
    }

    Access access() {
        return Stream.of(Access.BOTH, Access.ALL)
                .filter(access -> Majority.isReachedBy(
                        accesses().filter(node -> node.value() == access).count(), answers.size()))
                .findFirst()
                .orElse(Access.UNKNOWN);
    }

    Stream<NodeAnswer<Access>> accesses() {
        return answers.stream().map(node -> node.map(agreed -> access(agreed.config())));
    }

    private static Access access(@Nullable QuorumConfig agreed) {
        return agreed != null && agreed.isClosed() ? Access.BOTH : Access.ALL;
    }

    /** Returns whether each node that has answered accepts these clients. */
    boolean isAll(Access access) {
        return accesses().allMatch(node -> node.value() == null || node.value() == access);
    }

    /**
     * Returns the name of the change in which the set has taken part last: the last one that no majority of the nodes
     * lacks. Empty if there was none, or if a majority has forgotten it.
     */
    String change() {
        return NodeAnswer.present(answers).stream()
                .map(Agreement::mark)
                .sorted(Comparator.<String>comparingLong(Agreed::number).reversed())
                .map(SetAgreement::change)
                .filter(change -> !isLacking(change))
                .findFirst()
                .orElse("");
    }

    private static String change(String mark) {
        return mark.replaceAll("^\\d+:|/.*", "");
    }

    private boolean isLacking(String change) {
        return Majority.isReachedBy(
                NodeAnswer.present(answers).stream()
                        .filter(node -> !change(node.mark()).equals(change))
                        .count(),
                answers.size());
    }

    /** Asks all nodes, of which a majority has to answer and to fit. */
    static SetAgreement required(NodeStandings set) {
        SetAgreement read = read(set);
        require(read.misfit());
        requireMajority(read.answers(), "have answered");
        return read;
    }

    private static void require(String obstacle) {
        if (!obstacle.isEmpty()) {
            throw new IllegalStateException(obstacle);
        }
    }

    /** Returns why a node that has answered is not of this set; empty if all are. */
    private String misfit() {
        return answers.stream()
                .filter(node -> !misfit(node, set.config()).isEmpty())
                .map(node -> node.node() + ": " + misfit(node, set.config()))
                .findFirst()
                .orElse("");
    }

    private static String misfit(NodeAnswer<Agreement> node, QuorumConfig both) {
        QuorumConfig agreed = node.value() == null ? null : node.value().config();
        if (agreed == null || agreed.accepts(both)) {
            return "";
        }
        return !isOfSet(node, both)
                ? agreed.rejectionOf(both)
                : "it takes part in a change between other sets: " + agreed
                        + "; go on with that one, or use another database of the server";
    }

    private static boolean isOfSet(NodeAnswer<Agreement> node, QuorumConfig both) {
        QuorumConfig agreed = node.value() == null ? null : node.value().config();
        return agreed == null || agreed.alone().equals(both.alone());
    }

    /** Returns whether a change from the other set to this one begins: this one has taken part in no other change. */
    boolean beginsFrom(SetAgreement other) {
        return access() == Access.ALL
                && other.access() == Access.ALL
                && (change().isEmpty() || change().equals(other.change()));
    }

    /** Throws an exception if the other set does not take part in the change of this one. */
    void requireSameChange(SetAgreement other) {
        require(otherChange(other));
    }

    /** Returns why no change from the other set to this one is possible; empty if the answers show no reason. */
    String obstacle(SetAgreement other) {
        boolean isKnown = isMajority(answers) && isMajority(other.answers());
        return Stream.of(misfit(), other.misfit(), isKnown && !beginsFrom(other) ? otherChange(other) : "")
                .filter(reason -> !reason.isEmpty())
                .findFirst()
                .orElse("");
    }

    private String otherChange(SetAgreement other) {
        if (change().equals(other.change())) {
            return "";
        }
        boolean isKnown = !change().isEmpty() && !other.change().isEmpty();
        SetAgreement without = change().isEmpty() ? this : other;
        SetAgreement with = change().isEmpty() ? other : this;
        return "the servers " + without.names()
                + (isKnown ? " take part in another change than " : " have no record of the change of ")
                + with.names()
                + "; name the servers with which it has begun. If these have lost their data:"
                + " `holdfast nodes next --again`";
    }

    private String names() {
        return answers.stream().map(NodeAnswer::node).collect(Collectors.joining(", "));
    }

    /**
     * Returns the beginning of the marks of the next step of a change of these sets. Its number is above all that were
     * read of either.
     */
    static String step(SetAgreement one, SetAgreement other, String change) {
        long last = Stream.concat(one.marks.stream(), other.marks.stream())
                .filter(NodeAnswer::isPresent)
                .mapToLong(node -> Agreed.number(String.valueOf(node.value())))
                .max()
                .orElse(0);
        return (last + 1) + ":" + change;
    }

    /** Records on the nodes that the set takes part in a change; they accept the same clients as before. */
    void marked(String step) {
        changed(null, FencingToken.NONE, step);
    }

    /** Lets the nodes accept only clients of both sets. */
    SetAgreement closed(String step) {
        return changed(set.config(), FencingToken.NONE, step);
    }

    /**
     * Lets the nodes accept all clients of the set.
     *
     * @param floor accept only fences above this one
     */
    void opened(FencingToken floor, String step) {
        changed(set.config().alone(), floor, step);
    }

    /** Changes the nodes that have answered, and that no other administrator has changed since. */
    private SetAgreement changed(@Nullable QuorumConfig next, FencingToken floor, String step) {
        String mark = step + "/" + Owner.fresh(RANDOM).token();
        Agreement agreement = new Agreement(next, mark, floor);
        List<NodeAnswer<Agreement>> made = set.questions().askNodes(node -> agree(node, agreement)).stream()
                .map(node -> withMark(node, mark))
                .toList();
        return new SetAgreement(set, made).kept();
    }

    /**
     * Reads the nodes again, of which a majority has to be as it was. So none of that majority has forgotten anything
     * before all of it had been changed, or its locks had been listed.
     */
    SetAgreement kept() {
        List<NodeAnswer<String>> now = set.marks();
        List<NodeAnswer<Agreement>> kept = IntStream.range(0, answers.size())
                .mapToObj(i -> kept(answers.get(i), now.get(i)))
                .toList();
        requireMajority(kept, "were changed");
        return new SetAgreement(set, kept);
    }

    private static NodeAnswer<Agreement> kept(NodeAnswer<Agreement> node, NodeAnswer<String> now) {
        if (node.value() == null) {
            return node;
        }
        return now.value() == null ? NodeAnswer.failed(node.node(), now.error()) : withMark(node, now.value());
    }

    private static NodeAnswer<Agreement> withMark(NodeAnswer<Agreement> node, String mark) {
        return node.value() == null || node.value().mark().equals(mark)
                ? node
                : NodeAnswer.failed(
                        node.node(), "another administrator has just changed it; see `holdfast nodes status`");
    }

    private CompletionStage<Agreement> agree(LockNode node, Agreement next) {
        return marks.stream()
                .filter(mark -> mark.node().equals(node.name()))
                .map(mark -> mark.value() == null
                        ? CompletableFuture.<Agreement>failedFuture(new IllegalStateException(mark.error()))
                        : node.admin().agree(mark.value(), next))
                .findFirst()
                .orElseThrow();
    }

    /** Returns a fence that is not below any that these nodes have accepted. */
    FencingToken fence() {
        return NodeAnswer.present(answers).stream().map(Agreement::fence).reduce(FencingToken.NONE, FencingToken::max);
    }

    /** Returns the nodes that have answered. */
    NodeStandings answering() {
        List<LockNode> nodes = IntStream.range(0, answers.size())
                .filter(i -> answers.get(i).isPresent())
                .mapToObj(set.questions().nodes()::get)
                .toList();
        return new NodeStandings(new NodeQuestions(nodes, set.questions().time()), set.config(), set.guarded());
    }

    private static boolean isMajority(List<NodeAnswer<Agreement>> all) {
        return Majority.isReachedBy(NodeAnswer.present(all).size(), all.size());
    }

    private static void requireMajority(List<NodeAnswer<Agreement>> all, String what) {
        if (!isMajority(all)) {
            throw new IllegalStateException("only " + NodeAnswer.present(all).size() + " of " + all.size() + " servers "
                    + what + "; " + NodeAnswer.causes(all));
        }
    }

    /** Throws an exception if one of these nodes has not answered: it could have a lock that no other one has. */
    static void requireAll(List<? extends NodeAnswer<?>> nodes, String what) {
        if (!nodes.stream().allMatch(NodeAnswer::isPresent)) {
            throw new IllegalStateException("not all servers " + what + "; " + NodeAnswer.causes(nodes));
        }
    }
}
