package io.holdfast.admin;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStatus;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * The repeated question to one node whether it votes. A node that did not answer the last time is
 * asked, but not waited for. Used by one thread.
 */
final class NodePulse {

    private static final Answer NONE = new Answer(NodeStandings.SILENT, Duration.ZERO);

    private final LockNode node;
    private final NodeStandings standings;
    private final Time time;
    private CompletableFuture<Answer> question = CompletableFuture.completedFuture(NONE);
    private boolean isAwaited = true;

    /** An answer, and how long the node took for it. */
    private record Answer(NodeStanding standing, Duration delay) {}

    private NodePulse(LockNode node, NodeStandings standings, Time time) {
        this.node = node;
        this.standings = standings;
        this.time = time;
    }

    /** Returns the questions to all nodes, in order. */
    static List<NodePulse> of(LockReading all) {
        return Stream.of(all.standings(), all.previous())
                .flatMap(set -> set.questions().nodes().stream().map(node -> new NodePulse(node, set, all.time())))
                .toList();
    }

    /** Asks, unless the last question is open. Returns what to wait for: a question to a node that is not silent. */
    CompletableFuture<?> ask() {
        if (question.isDone()) {
            Moment asked = time.now();
            question = standings
                    .asked(node)
                    .answer()
                    .thenApply(standing -> new Answer(standing, time.now().surelySince(asked)));
        }
        return isAwaited ? question : CompletableFuture.completedFuture(NONE);
    }

    /**
     * Notes whether the node has answered, for the next question. Returns why its locks are not read: it may have
     * forgotten some, or does not answer. Empty for a node that knows its locks, also if this client may not use it.
     */
    String refusal() {
        isAwaited = isAnswering();
        NodeStanding standing = standings.counted(answer().standing());
        boolean isSilent = standing instanceof NodeStanding.Unknown unknown
                && unknown.reason() == NodeStanding.Unknown.Reason.TRANSIENT;
        return isSilent || standing instanceof NodeStanding.Quarantined ? status().cause() : "";
    }

    /** Returns {@code false} if the node was silent in the last reading. */
    boolean isAwaited() {
        return isAwaited;
    }

    private Answer answer() {
        return question.getNow(NONE);
    }

    /** Returns whether the node has answered the last question, in whatever way. */
    boolean isAnswering() {
        return !answer().standing().equals(NodeStandings.SILENT);
    }

    NodeStatus status() {
        return standings.status(node, standings.counted(answer().standing()));
    }

    /** Returns how long the node took to answer; empty if it is silent. */
    Optional<Duration> delay() {
        return isAnswering() ? Optional.of(answer().delay()) : Optional.empty();
    }
}
