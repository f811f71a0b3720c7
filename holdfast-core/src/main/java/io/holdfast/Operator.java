package io.holdfast;

import io.holdfast.node.Checkup;
import io.holdfast.node.Finding;
import io.holdfast.node.Fleet;
import io.holdfast.node.LockNode;
import io.holdfast.node.Membership;
import io.holdfast.node.Operations;
import io.holdfast.node.Owner;
import io.holdfast.node.Told;
import io.holdfast.node.Watch;
import io.holdfast.quorum.Adoption;
import io.holdfast.quorum.Quorum;
import io.holdfast.time.Time;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * What people ask who look after locks: who holds them, which there are, whether the nodes are fit. It takes no part in any lock but
 * by {@link #breakLock}. Thread-safe; its methods block for the nodes, at most for a few seconds.
 */
public final class Operator {

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);
    private static final Duration EXAMINATION_LIMIT = Duration.ofSeconds(5);

    private final List<LockNode> nodes;
    private final Fleet fleet;
    private final Time time;

    Operator(Quorum quorum, HoldfastOptions options) {
        this.nodes = quorum.nodes();
        this.fleet = options.fleet(nodes.size());
        this.time = quorum.time();
    }

    /** How the lock stands on each node. */
    public LockStatus status(String resource) {
        return new LockStatus(resource, tell(node -> node.inspect(Resources.require(resource))));
    }

    /** All locks that are held somewhere, by name. Goes through all keys of the nodes, in steps that leave room for others. */
    public List<LockStatus> list() {
        TreeSet<String> names = new TreeSet<>();
        List<NodeView<List<String>>> told = tell(Operations::names);
        for (NodeView<List<String>> node : told) {
            List<String> known = node.told().value();
            names.addAll(known == null ? List.of() : known);
        }
        if (told.stream().allMatch(node -> node.told().value() == null)) {
            throw new IllegalStateException("No node can say which locks there are: "
                    + told.get(0).node() + ": " + told.get(0).told().cause());
        }
        return names.stream()
                .map(this::status)
                .filter(LockStatus::isHeldSomewhere)
                .toList();
    }

    /**
     * Takes the lock from its holder, on all nodes. The holder is told at its next renewal; until then, and if it never looks, two may
     * work on the resource. Only for a holder that is known to be dead, or that cannot do harm.
     *
     * @return for each node whether somebody held it there
     */
    public List<NodeView<Boolean>> breakLock(String resource) {
        return tell(node -> node.evict(Resources.require(resource)));
    }

    /**
     * An operator's word that these servers have never held a lock: ends their quarantine at once, until they are restarted,
     * and makes {@link HoldfastOptions} of this client those of all. Servers that have voted before, or that replace one which
     * has, have to sit their quarantine out: to adopt them may let two hold one lock. Blocks for two round trips.
     *
     * @return what became of each node, in their order
     */
    public List<Adopted> adopt() {
        String operator = Owner.fresh(new SecureRandom()).token();
        List<Membership> said = Joining.join(Adoption.of(nodes, fleet, operator));
        return IntStream.range(0, nodes.size())
                .mapToObj(i -> Adopted.of(nodes.get(i).name(), said.get(i)))
                .toList();
    }

    /** Writes about the holder of the lease what {@link #status} shows of it. Does not wait for the nodes. */
    public void annotate(Lease lease, String text) {
        nodes.forEach(node -> node.operations().annotate(lease.claim(), text));
    }

    /** Looks whether each node is fit to vote. */
    public List<NodeReport> examine() {
        List<CompletableFuture<NodeReport>> reports = nodes.stream()
                .map(node -> examined(node)
                        .thenCombine(
                                membership(node),
                                (checkup, member) -> new NodeReport(node.name(), with(checkup, member))))
                .toList();
        return reports.stream().map(Joining::join).toList();
    }

    private CompletableFuture<Checkup> examined(LockNode node) {
        Finding silent =
                Finding.error("no answer within " + EXAMINATION_LIMIT.toSeconds() + " s", "see whether it hangs");
        return within(EXAMINATION_LIMIT, node.operations().examine(time), new Checkup(Map.of(), List.of(silent)));
    }

    private CompletableFuture<Membership> membership(LockNode node) {
        return within(ANSWER_LIMIT, node.watch(Watch.glance("doctor", fleet)), new Membership.Unknown("no answer"));
    }

    private Checkup with(Checkup checkup, Membership member) {
        List<Finding> findings = new ArrayList<>(checkup.findings());
        if (member instanceof Membership.Quarantined quarantined) {
            Duration left = fleet.quarantine().minus(quarantined.watched());
            findings.add(Finding.warning(
                    "in quarantine for " + Math.max(0, left.toSeconds())
                            + " s more: it was restarted, or is new, and may have forgotten" + " locks",
                    "wait while a client is connected; if it never held a lock, `holdfast adopt`"));
        } else if (member instanceof Membership.Unknown unknown
                && unknown.cause().contains("other clients")) {
            findings.add(Finding.error(unknown.cause(), ""));
        }
        return new Checkup(checkup.facts(), findings);
    }

    private <T> List<NodeView<T>> tell(Function<Operations, CompletionStage<Told<T>>> question) {
        List<CompletableFuture<Told<T>>> answers = nodes.stream()
                .map(node -> within(
                        ANSWER_LIMIT,
                        question.apply(node.operations()),
                        Told.<T>nothing("no answer within " + ANSWER_LIMIT.toSeconds() + " s")))
                .toList();
        return IntStream.range(0, nodes.size())
                .mapToObj(i -> new NodeView<>(nodes.get(i).name(), Joining.join(answers.get(i))))
                .toList();
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
