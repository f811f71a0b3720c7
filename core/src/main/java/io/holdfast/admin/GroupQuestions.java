package io.holdfast.admin;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.quorum.NewestRecord;
import io.holdfast.quorum.NodeSets;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RecordAnswer;
import io.holdfast.time.ThreadWait;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Questions of an administrator to all nodes about many names, in groups. A node that has missed a limit is not asked
 * again. Used by one thread.
 */
final class GroupQuestions {

    /**
     * The most names about which a node is asked at once. It is sent up to five commands for each, so this bounds its
     * queue.
     */
    static final int LARGEST_GROUP = 500;

    private final List<LockNode> nodes;
    private final Time time;
    private final Duration limit;
    /** Why a node is not asked; empty for the others. */
    private final String[] skipped;

    GroupQuestions(List<LockNode> nodes, Time time) {
        this(nodes, time, NodeQuestions.ANSWER_LIMIT);
    }

    GroupQuestions(List<LockNode> nodes, Time time, Duration limit) {
        this.nodes = nodes;
        this.time = time;
        this.limit = limit;
        this.skipped = new String[nodes.size()];
        skipAll("");
    }

    /** Gives this error in place of all further answers of a node. */
    void skip(int node, String error) {
        skipped[node] = error;
    }

    void skipAll(String error) {
        Arrays.fill(skipped, error);
    }

    /**
     * Returns the newest record beside each of these locks, in order.
     *
     * @param sets the sets of nodes whose majorities confirm a text
     */
    List<LockRecord> records(List<String> resources, NodeSets sets) {
        return askAll(resources, (node, name) -> node.records().read(name)).stream()
                .map(answers -> newest(answers, sets))
                .toList();
    }

    /** Returns the state of each of these locks on each node, in order. */
    List<List<NodeAnswer<NodeLockStatus>>> states(List<String> resources) {
        return askAll(resources, (node, name) -> node.admin().inspect(name));
    }

    private <T> List<List<NodeAnswer<T>>> askAll(
            List<String> names, BiFunction<LockNode, String, CompletionStage<T>> question) {
        return groups(names).stream()
                .flatMap(group -> ask(group, question).stream())
                .toList();
    }

    /** Returns these names in groups about which a node may be asked at once. */
    static List<List<String>> groups(List<String> names) {
        return IntStream.iterate(0, from -> from < names.size(), from -> from + LARGEST_GROUP)
                .mapToObj(from -> names.subList(from, Math.min(names.size(), from + LARGEST_GROUP)))
                .toList();
    }

    private static LockRecord newest(List<NodeAnswer<RecordAnswer>> nodesInOrder, NodeSets sets) {
        List<@Nullable RecordAnswer> answers = new ArrayList<>();
        nodesInOrder.forEach(node -> answers.add(node.value()));
        return NewestRecord.of(answers, sets);
    }

    /** Asks about these subjects at once, and returns for each subject the answers in the order of the nodes. */
    <S, T> List<List<NodeAnswer<T>>> ask(List<S> subjects, BiFunction<LockNode, S, CompletionStage<T>> question) {
        List<List<CompletableFuture<NodeAnswer<T>>>> byNode = IntStream.range(0, nodes.size())
                .mapToObj(node -> subjects.stream()
                        .map(subject -> answer(node, subject, question))
                        .toList())
                .toList();
        CompletableFuture<?> all =
                BoundedAnswer.allOf(byNode.stream().flatMap(List::stream).toList());
        if (!ThreadWait.uninterruptibly(time::await, all, limit)) {
            for (int node = 0; node < nodes.size(); node++) {
                endOpen(node, byNode.get(node));
            }
        }
        return IntStream.range(0, subjects.size())
                .mapToObj(subject -> BoundedAnswer.resultsOf(
                        byNode.stream().map(node -> node.get(subject)).toList()))
                .toList();
    }

    /**
     * Returns the {@linkplain NodeAdmin#marks marks} of these locks: for each name those of the nodes, in order; {@link
     * NodeAdmin#UNKNOWN} of a node that does not answer.
     */
    List<List<Integer>> marks(List<String> names) {
        // A mark that comes late delays nothing: the node is asked for its states nevertheless.
        String[] before = skipped.clone();
        List<List<NodeAnswer<List<Integer>>>> answers =
                ask(groups(names), (node, group) -> node.admin().marks(group));
        System.arraycopy(before, 0, skipped, 0, before.length);
        return IntStream.range(0, names.size())
                .mapToObj(i -> answers.get(i / LARGEST_GROUP).stream()
                        .map(node -> mark(node.value(), i % LARGEST_GROUP))
                        .toList())
                .toList();
    }

    private static int mark(@Nullable List<Integer> marks, int index) {
        return marks != null && index < marks.size() ? marks.get(index) : NodeAdmin.UNKNOWN;
    }

    private <S, T> CompletableFuture<NodeAnswer<T>> answer(
            int index, S subject, BiFunction<LockNode, S, CompletionStage<T>> question) {
        LockNode node = nodes.get(index);
        return skipped[index].isEmpty()
                ? Answers.of(node.name(), () -> question.apply(node, subject)).toCompletableFuture()
                : CompletableFuture.completedFuture(NodeAnswer.failed(node.name(), skipped[index]));
    }

    private <T> void endOpen(int index, List<CompletableFuture<NodeAnswer<T>>> answers) {
        NodeAnswer<T> none = NodeAnswer.failed(nodes.get(index).name(), NodeQuestions.NO_ANSWER);
        for (CompletableFuture<NodeAnswer<T>> answer : answers) {
            if (answer.complete(none)) {
                skip(index, none.error());
            }
        }
    }
}
