package io.holdfast.admin;

import io.holdfast.lease.ClientDescription;
import io.holdfast.node.Diagnosis;
import io.holdfast.node.Diagnosis.Finding;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus.Waiter;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Questions of an administrator to all nodes at once. A node that does not answer costs its limit only once. */
record NodeQuestions(List<LockNode> nodes, Time time) {

    static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

    /** The error of a node that did not answer within {@link #ANSWER_LIMIT}. */
    static final String NO_ANSWER = "no answer within " + ANSWER_LIMIT.toSeconds() + " s";

    /** The most clients that are looked up at once. */
    private static final int MOST_NAMES = 1_000;

    private static final Duration EXAMINATION_LIMIT = Duration.ofSeconds(5);

    /** Asks the administration of each node, and returns the answers in order. */
    <T> List<NodeAnswer<T>> ask(Function<NodeAdmin, CompletionStage<T>> question) {
        return askNodes(node -> question.apply(node.admin()));
    }

    /** Asks each node, and returns the answers in order. */
    <T> List<NodeAnswer<T>> askNodes(Function<LockNode, CompletionStage<T>> question) {
        return BoundedAnswer.joined(
                time,
                nodes.stream()
                        .map(node -> within(
                                ANSWER_LIMIT,
                                Answers.of(node.name(), () -> question.apply(node)),
                                NodeAnswer.<T>failed(node.name(), NO_ANSWER)))
                        .toList());
    }

    /** Returns these locks with what their clients say about themselves. Asks only nodes that have answered before. */
    List<LockStatus> named(List<LockStatus> locks) {
        List<String> ids = locks.stream()
                .flatMap(NodeQuestions::ids)
                .distinct()
                .limit(MOST_NAMES)
                .toList();
        if (ids.isEmpty()) {
            return locks;
        }
        Set<String> answering = locks.stream()
                .flatMap(lock -> lock.nodes().stream())
                .filter(NodeAnswer::isPresent)
                .map(NodeAnswer::node)
                .collect(Collectors.toSet());
        List<LockNode> asked =
                nodes.stream().filter(node -> answering.contains(node.name())).toList();
        Map<String, ClientDescription> clients = new HashMap<>();
        NodeAnswer.present(new NodeQuestions(asked, time).ask(node -> node.clients(ids)))
                .forEach(clients::putAll);
        return locks.stream()
                .map(lock -> new LockStatus(
                        lock.resource(),
                        lock.nodes(),
                        lock.previous(),
                        ids(lock)
                                .distinct()
                                .filter(clients::containsKey)
                                .collect(Collectors.toMap(id -> id, clients::get))))
                .toList();
    }

    /** Returns the ids of the clients that hold the lock or wait for it, as far as a node reports them. */
    private static Stream<String> ids(LockStatus lock) {
        return lock.views().stream()
                .flatMap(view -> Stream.concat(
                        view.clients().stream(), view.queue().stream().map(Waiter::client)));
    }

    /** Returns the nodes that have an error, in order, each with its error, for a message. */
    String causes(List<String> errors) {
        return NodeAnswer.causes(IntStream.range(0, errors.size())
                .filter(i -> !errors.get(i).isEmpty())
                .mapToObj(i -> NodeAnswer.failed(nodes.get(i).name(), errors.get(i)))
                .toList());
    }

    /** Returns the answer, or another value if it does not arrive within the limit. */
    <T> BoundedAnswer<T> within(Duration limit, CompletionStage<T> stage, T otherwise) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Time.Timer timer = time.schedule(limit, () -> answer.complete(otherwise));
        stage.thenAccept(value -> {
            timer.cancel();
            answer.complete(value);
        });
        return new BoundedAnswer<>(answer, otherwise, left(limit));
    }

    /** Returns a countdown that begins now. */
    Supplier<Duration> left(Duration limit) {
        Moment begun = time.now();
        return () -> limit.minus(time.now().surelySince(begun));
    }

    /** Returns the diagnosis of a node, or the finding that it does not answer. */
    BoundedAnswer<Diagnosis> examined(LockNode node) {
        return within(
                EXAMINATION_LIMIT,
                Answers.of(node.name(), () -> node.admin().examine(time))
                        .thenApply(answer -> Objects.requireNonNullElseGet(
                                answer.value(),
                                () -> failed(
                                        "it cannot be examined: " + answer.error(),
                                        "check that this is a Redis or Valkey server"))),
                failed("no answer within " + EXAMINATION_LIMIT.toSeconds() + " s", "check whether it hangs"));
    }

    private static Diagnosis failed(String text, String remedy) {
        return new Diagnosis(Map.of(), List.of(Finding.error(text, remedy)));
    }
}
