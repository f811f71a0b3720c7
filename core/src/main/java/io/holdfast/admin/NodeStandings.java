package io.holdfast.admin;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Diagnosis;
import io.holdfast.node.Diagnosis.Finding;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.quarantine.Admission;
import io.holdfast.time.Durations;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * The standings of the nodes: which of them vote.
 *
 * @param guarded {@code true} if restarted nodes must complete a quarantine
 */
record NodeStandings(NodeQuestions questions, QuorumConfig config, boolean guarded) {

    /** The standing of a node that did not answer within its limit. */
    static final NodeStanding SILENT = new NodeStanding.Unknown("no answer");

    /** The longest time of an admission. */
    private static final Duration TWO_ROUNDS = Durations.times(NodeQuestions.ANSWER_LIMIT, 2);

    private static final NodeStanding VOTES = NodeStanding.Admitted.of(FencingToken.NONE);

    /** Returns the same nodes, asked by a client that has the other set as well. */
    NodeStandings beside(NodeStandings other) {
        return new NodeStandings(questions, config.beside(other.config()), guarded);
    }

    /**
     * Asks each node whether it votes, and returns the answers in order. Does not wait for them, so that a node that
     * hangs costs its limit only once. Without quarantines, asks no node: each that answers votes.
     */
    List<BoundedAnswer<NodeStanding>> asked() {
        return guarded
                ? within(NodeQuestions.ANSWER_LIMIT)
                : questions.nodes().stream()
                        .map(node -> BoundedAnswer.known(VOTES))
                        .toList();
    }

    /** Asks each node for its standing, and returns the answers in order; does not wait for them. */
    List<BoundedAnswer<NodeStanding>> within(Duration limit) {
        return questions.nodes().stream().map(node -> asked(node, limit)).toList();
    }

    /** Asks one node for its standing; does not wait for it. */
    BoundedAnswer<NodeStanding> asked(LockNode node) {
        return asked(node, NodeQuestions.ANSWER_LIMIT);
    }

    private BoundedAnswer<NodeStanding> asked(LockNode node, Duration limit) {
        return probe(node, reading(), limit);
    }

    /** Admits all nodes that may be admitted, and returns the standings that count of all nodes in order. */
    List<NodeStanding> admit() {
        String administrator = Owner.fresh(new SecureRandom()).token();
        CompletableFuture<List<NodeStanding>> admission = Admission.of(
                questions.nodes(),
                config,
                guarded,
                administrator,
                (node, probe) -> probe(node, probe, NodeQuestions.ANSWER_LIMIT).answer());
        List<NodeStanding> silent =
                questions.nodes().stream().map(node -> SILENT).toList();
        return BoundedAnswer.joined(
                        questions.time(), List.of(new BoundedAnswer<>(admission, silent, questions.left(TWO_ROUNDS))))
                .get(0)
                .stream()
                .map(this::counted)
                .toList();
    }

    /** Returns whether an admission has made this node vote, or the reason why not. */
    NodeAnswer<Boolean> admitted(String node, NodeStanding standing, List<NodeStanding> all) {
        if (standing instanceof NodeStanding.Admitted) {
            return NodeAnswer.of(node, true);
        } else if (standing instanceof NodeStanding.Unknown unknown) {
            boolean isClosed = unknown.reason() == NodeStanding.Unknown.Reason.CLOSED_SET;
            return NodeAnswer.failed(
                    node,
                    unknown.cause() + (isClosed ? "; if that set is gone, use another database of the server" : ""));
        }
        long votes = all.stream().filter(Admission::isInUse).count();
        return NodeAnswer.failed(
                node,
                votes == 0
                        ? "it was restarted at this moment; try again"
                        : votes + " of " + all.size() + " already vote, so this is a restart, not a first start: wait "
                                + Durations.toWholeSeconds(left((NodeStanding.Quarantined) standing))
                                + " s while a client is connected, then it votes again");
    }

    /** Probes a node; the answer of a node that misses the limit is {@link #SILENT}. */
    private BoundedAnswer<NodeStanding> probe(LockNode node, QuarantineProbe probe, Duration limit) {
        return questions.within(limit, node.probe(probe), SILENT);
    }

    /**
     * Asks each node for the mark of the change that it took part in last. A node in quarantine, or one whose standing
     * is not known, has none: it may have forgotten something since it got the mark.
     */
    List<NodeAnswer<String>> marks() {
        return questions.askNodes(node -> guarded
                ? node.probe(reading()).thenApply(this::mark)
                : node.admin().agreement().thenApply(NodeAdmin.Agreement::mark));
    }

    private QuarantineProbe reading() {
        return QuarantineProbe.readOnly("doctor", config);
    }

    private String mark(NodeStanding standing) {
        if (standing instanceof NodeStanding.Admitted admitted) {
            return admitted.agreed().mark();
        }
        throw new IllegalStateException(
                standing instanceof NodeStanding.Quarantined quarantined
                        ? absence(quarantined)
                        : ((NodeStanding.Unknown) standing).cause());
    }

    private String absence(NodeStanding.Quarantined quarantined) {
        return "in quarantine for " + Durations.toWholeSeconds(left(quarantined)) + " s more, does not vote";
    }

    /** Replaces the answers of nodes in quarantine by errors: such a node knows nothing that counts. */
    <T> List<NodeAnswer<T>> votes(List<NodeStanding> standings, List<NodeAnswer<T>> answers) {
        return IntStream.range(0, answers.size())
                .mapToObj(i -> standings.get(i) instanceof NodeStanding.Quarantined quarantined
                        ? NodeAnswer.<T>failed(answers.get(i).node(), absence(quarantined))
                        : answers.get(i))
                .toList();
    }

    /** Returns the rest of the quarantine. */
    Duration left(NodeStanding.Quarantined quarantined) {
        return config.quarantineLeft(quarantined.observed());
    }

    /** Returns the standing that counts: without quarantines, each node that answers votes. */
    NodeStanding counted(NodeStanding standing) {
        return guarded || standing instanceof NodeStanding.Unknown ? standing : VOTES;
    }

    /** Returns the condition of a node that has this standing. */
    NodeStatus status(LockNode node, NodeStanding standing) {
        if (standing instanceof NodeStanding.Quarantined quarantined) {
            return NodeStatus.quarantined(node.name(), left(quarantined));
        } else if (standing instanceof NodeStanding.Unknown unknown) {
            return NodeStatus.unknown(node.name(), Duration.ZERO, unknown);
        }
        return NodeStatus.voting(node.name());
    }

    /** Adds whether the node votes, and why it does not. A quarantine keeps out only nodes that are guarded. */
    Diagnosis added(Diagnosis diagnosis, NodeStanding standing) {
        Map<String, Object> facts = new LinkedHashMap<>(diagnosis.facts());
        List<Finding> findings = new ArrayList<>(diagnosis.findings());
        boolean isOut = guarded && standing instanceof NodeStanding.Quarantined;
        facts.put("votes", !isOut && !(standing instanceof NodeStanding.Unknown));
        if (isOut && standing instanceof NodeStanding.Quarantined quarantined) {
            facts.put("quarantineMillis", left(quarantined).toMillis());
            findings.add(Finding.warning(
                    "in quarantine for " + Durations.toWholeSeconds(left(quarantined))
                            + " s more: it was restarted, or is new, and may have forgotten locks",
                    "keep a client connected for that long, such as `holdfast watch`; if all nodes are new,"
                            + " `holdfast admit`"));
        } else if (standing instanceof NodeStanding.Unknown unknown
                && unknown.lasting()
                && findings.stream().noneMatch(finding -> finding.text().equals(unknown.cause()))) {
            findings.add(Finding.error(unknown.cause(), ""));
        }
        return new Diagnosis(facts, findings);
    }
}
