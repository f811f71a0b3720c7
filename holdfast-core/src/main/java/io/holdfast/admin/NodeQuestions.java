package io.holdfast.admin;

import io.holdfast.node.Diagnosis;
import io.holdfast.node.Finding;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeAnswer;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Questions of an administrator to all nodes at once. A node that does not answer costs its limit only once. */
record NodeQuestions(List<LockNode> nodes, Time time) {

    static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

    private static final Duration EXAMINATION_LIMIT = Duration.ofSeconds(5);

    /** Asks the administration of each node, and returns the answers in order. */
    <T> List<NodeAnswer<T>> ask(Function<NodeAdmin, CompletionStage<T>> question) {
        return askNodes(node -> question.apply(node.admin()));
    }

    /** Asks each node, and returns the answers in order. */
    <T> List<NodeAnswer<T>> askNodes(Function<LockNode, CompletionStage<T>> question) {
        return joined(nodes.stream()
                .map(node -> within(
                        ANSWER_LIMIT,
                        Answers.of(node.name(), question.apply(node)),
                        NodeAnswer.<T>failed(node.name(), "no answer within " + ANSWER_LIMIT.toSeconds() + " s")))
                .toList());
    }

    /** Waits for answers that were all requested before. */
    static <T> List<T> joined(List<CompletableFuture<T>> answers) {
        return answers.stream().map(CompletableFuture::join).toList();
    }

    /** Throws an exception with the causes if no majority of the nodes could list its locks. */
    static void requireMajority(List<NodeAnswer<List<String>>> answers) {
        long answering = answers.stream().filter(NodeAnswer::isPresent).count();
        if (answering <= answers.size() / 2) {
            String causes = answers.stream()
                    .filter(node -> !node.isPresent())
                    .map(node -> node.node() + ": " + node.error())
                    .collect(Collectors.joining("; "));
            throw new IllegalStateException(
                    "only " + answering + " of " + answers.size() + " servers can list their locks; " + causes);
        }
    }

    /** Returns the answer, or another value if it does not arrive within the limit. */
    <T> CompletableFuture<T> within(Duration limit, CompletionStage<T> stage, T otherwise) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Time.Timer timer = time.schedule(limit, () -> answer.complete(otherwise));
        stage.thenAccept(value -> {
            timer.cancel();
            answer.complete(value);
        });
        return answer;
    }

    /** Returns the diagnosis of a node, or the finding that it does not answer. */
    CompletableFuture<Diagnosis> examined(LockNode node) {
        Finding silent =
                Finding.error("no answer within " + EXAMINATION_LIMIT.toSeconds() + " s", "check whether it hangs");
        return within(EXAMINATION_LIMIT, node.admin().examine(time), new Diagnosis(Map.of(), List.of(silent)));
    }
}
