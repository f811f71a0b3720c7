package io.holdfast.admin;

import io.holdfast.lease.Owner;
import io.holdfast.node.Diagnosis;
import io.holdfast.node.Finding;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.ResourceName;
import io.holdfast.quarantine.Admission;
import io.holdfast.time.Time;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The view of an administrator: which locks are held and by which holder, and whether the nodes are fit to vote. It takes part in no
 * lock, except that {@link #breakLock} removes one.
 *
 * <p>Thread-safe. Each method blocks until the nodes have answered, at most for a few seconds.
 */
public final class LockAdmin {

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);
    private static final Duration EXAMINATION_LIMIT = Duration.ofSeconds(5);

    private final List<LockNode> nodes;
    private final QuorumConfig config;
    private final Time time;

    /**
     * Creates a view of these nodes; use {@code Holdfast.admin()}.
     *
     * @param nodes all nodes of the locks
     * @param config the configuration on which all clients of these nodes agree
     * @param time the clocks and timers
     */
    public LockAdmin(List<LockNode> nodes, QuorumConfig config, Time time) {
        this.nodes = nodes;
        this.config = config;
        this.time = time;
    }

    /**
     * Returns the state of the lock on each node. Takes no part in the lock. A node that does not answer within 2 s has an error in place
     * of a state.
     *
     * @throws IllegalArgumentException if the name is not valid
     */
    public LockStatus status(String resource) {
        ResourceName.require(resource);
        return new LockStatus(resource, ask(node -> node.inspect(resource)));
    }

    /**
     * Returns all locks that are held on at least one node, sorted by name. Iterates over all keys of the nodes in steps, so that other
     * clients are served in between.
     *
     * @throws IllegalStateException if no node answers
     */
    public List<LockStatus> list() {
        TreeSet<String> names = new TreeSet<>();
        List<NodeAnswer<List<String>>> answers = ask(NodeAdmin::names);
        for (NodeAnswer<List<String>> node : answers) {
            List<String> known = node.value();
            names.addAll(known == null ? List.of() : known);
        }
        if (answers.stream().noneMatch(NodeAnswer::isPresent)) {
            throw new IllegalStateException("No node can list its locks: "
                    + answers.get(0).node() + ": " + answers.get(0).error());
        }
        return names.stream()
                .map(this::status)
                .filter(LockStatus::isHeldSomewhere)
                .toList();
    }

    /**
     * Removes the lock from its holder, on all nodes. The holder is notified at its next renewal. Until then, and forever if the holder
     * does not check its lease, two clients may use the resource. Use this only if the holder has ended, or can do no harm.
     *
     * @return for each node, whether the lock was held there
     * @throws IllegalArgumentException if the name is not valid
     */
    public List<NodeAnswer<Boolean>> breakLock(String resource) {
        ResourceName.require(resource);
        return ask(node -> node.evict(resource));
    }

    /**
     * Admits servers that have never held a lock: ends their quarantine at once, until they are restarted, and makes the options of this
     * client those of all clients. A server that has voted before, or that replaces such a server, has to complete its quarantine: to admit
     * it may let two clients hold one lock. Blocks for two round trips.
     *
     * @return for each node, in order, {@code true} if it votes now, or the reason why it does not
     */
    public List<NodeAnswer<Boolean>> admit() {
        String administrator = Owner.fresh(new SecureRandom()).token();
        List<NodeStanding> standings =
                Admission.of(nodes, config, administrator).join();
        return IntStream.range(0, nodes.size())
                .mapToObj(i -> admitted(nodes.get(i).name(), standings.get(i)))
                .toList();
    }

    private static NodeAnswer<Boolean> admitted(String node, NodeStanding standing) {
        if (standing instanceof NodeStanding.Admitted) {
            return NodeAnswer.of(node, true);
        }
        return NodeAnswer.failed(
                node,
                standing instanceof NodeStanding.Unknown unknown
                        ? unknown.cause()
                        : "it was restarted at this moment; try again");
    }

    /**
     * Examines whether each node is fit to vote: its configuration, its rights, its clock, its quarantine.
     *
     * @return for each node, in order, the facts and the findings; a node that does not answer has a finding that says so
     */
    public List<NodeAnswer<Diagnosis>> examine() {
        List<CompletableFuture<NodeAnswer<Diagnosis>>> diagnoses = nodes.stream()
                .map(node -> examined(node)
                        .thenCombine(
                                standing(node),
                                (diagnosis, standing) -> NodeAnswer.of(node.name(), with(diagnosis, standing))))
                .toList();
        return diagnoses.stream().map(CompletableFuture::join).toList();
    }

    private CompletableFuture<Diagnosis> examined(LockNode node) {
        Finding silent =
                Finding.error("no answer within " + EXAMINATION_LIMIT.toSeconds() + " s", "check whether it hangs");
        return within(EXAMINATION_LIMIT, node.admin().examine(time), new Diagnosis(Map.of(), List.of(silent)));
    }

    private CompletableFuture<NodeStanding> standing(LockNode node) {
        return within(
                ANSWER_LIMIT,
                node.probe(QuarantineProbe.glance("doctor", config)),
                new NodeStanding.Unknown("no answer"));
    }

    private Diagnosis with(Diagnosis diagnosis, NodeStanding standing) {
        List<Finding> findings = new ArrayList<>(diagnosis.findings());
        if (standing instanceof NodeStanding.Quarantined quarantined) {
            Duration left = config.quarantine().minus(quarantined.observed());
            findings.add(Finding.warning(
                    "in quarantine for " + Math.max(0, left.toSeconds())
                            + " s more: it was restarted, or is new, and may have forgotten locks",
                    "wait while a client is connected; if it never held a lock, `holdfast admit`"));
        } else if (standing instanceof NodeStanding.Unknown unknown
                && unknown.cause().contains("other clients")) {
            findings.add(Finding.error(unknown.cause(), ""));
        }
        return new Diagnosis(diagnosis.facts(), findings);
    }

    private <T> List<NodeAnswer<T>> ask(Function<NodeAdmin, CompletionStage<T>> question) {
        List<CompletableFuture<NodeAnswer<T>>> answers = nodes.stream()
                .map(node -> within(
                        ANSWER_LIMIT,
                        answer(node.name(), question.apply(node.admin())),
                        NodeAnswer.<T>failed(node.name(), "no answer within " + ANSWER_LIMIT.toSeconds() + " s")))
                .toList();
        return answers.stream().map(CompletableFuture::join).toList();
    }

    private static <T> CompletionStage<NodeAnswer<T>> answer(String node, CompletionStage<T> stage) {
        return stage.handle((value, failure) ->
                failure == null ? NodeAnswer.of(node, value) : NodeAnswer.failed(node, reason(failure)));
    }

    private static String reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return String.valueOf(cause.getMessage());
    }

    private <T> CompletableFuture<T> within(Duration limit, CompletionStage<T> stage, T otherwise) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Time.Timer timer = time.schedule(limit, () -> answer.complete(otherwise));
        stage.thenAccept(value -> {
            timer.cancel();
            answer.complete(value);
        });
        return answer;
    }
}
