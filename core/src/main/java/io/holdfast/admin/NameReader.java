package io.holdfast.admin;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAnswer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The names of the locks that one node knows, read page by page until the node misses a limit. Thread-safe. */
final class NameReader {

    /** The interval of the checks. */
    static final Duration CHECK = Duration.ofSeconds(1);

    private static final long SILENT_CHECKS = NodeQuestions.ANSWER_LIMIT.toMillis() / CHECK.toMillis();

    private final String node;
    private final Set<String> names = new HashSet<>();
    private final CompletableFuture<NodeAnswer<Set<String>>> answer = new CompletableFuture<>();
    private boolean received;
    private int silentChecks;

    private NameReader(String node) {
        this.node = node;
    }

    /** Starts to read the names of a node; does not wait for them. */
    static NameReader of(LockNode node) {
        NameReader reader = new NameReader(node.name());
        Answers.of(node.name(), node.admin().names(reader::receive)).thenAccept(reader::finish);
        return reader;
    }

    /** Returns a future that completes when all names are there, or when the node has failed. */
    CompletableFuture<NodeAnswer<Set<String>>> answer() {
        return answer;
    }

    /** Returns {@code true} if the node has missed its limit for a page. */
    synchronized boolean isSilent() {
        return silentChecks >= SILENT_CHECKS;
    }

    private synchronized boolean receive(List<String> page) {
        received = true;
        names.addAll(page);
        return !answer.isDone();
    }

    private synchronized void finish(NodeAnswer<Boolean> end) {
        answer.complete(
                end.isPresent() ? NodeAnswer.of(node, Set.copyOf(names)) : NodeAnswer.failed(node, end.error()));
    }

    /**
     * Ends the reading if the node has sent no page since the last checks. Counts checks, which a pause does not add
     * to.
     */
    synchronized void check() {
        if (answer.isDone()) {
            return;
        }
        silentChecks = received ? 0 : silentChecks + 1;
        received = false;
        if (isSilent()) {
            end(NodeQuestions.NO_ANSWER);
        }
    }

    /** Ends the reading; the next page is the last one that the node is asked for. */
    void end(String error) {
        answer.complete(NodeAnswer.failed(node, error));
    }
}
