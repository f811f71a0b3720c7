package io.holdfast.admin;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin.NamePage;
import io.holdfast.node.NodeAnswer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The names of the locks that one node knows, read page by page until the node misses a limit. Thread-safe. */
final class NameReader {

    /** The interval of the checks. */
    static final Duration CHECK = Duration.ofSeconds(1);

    private static final long SILENT_CHECKS = NodeQuestions.ANSWER_LIMIT.toMillis() / CHECK.toMillis();

    /** The most pages of a list, enough for a hundred million keys; a hostile server would send pages without end. */
    private static final int MOST_PAGES = 50_000;

    /** The most names of a list that is shown. */
    static final int MOST_NAMES = 500_000;

    private final LockNode node;
    private final int mostNames;
    private final Set<String> names = new HashSet<>();
    private final CompletableFuture<NodeAnswer<Set<String>>> answer = new CompletableFuture<>();
    private int pages;
    private int received;
    private boolean isAnswering;
    private int silentChecks;

    private NameReader(LockNode node, int mostNames) {
        this.node = node;
        this.mostNames = mostNames;
    }

    /** Starts to read the names of a node; does not wait for them. */
    static NameReader of(LockNode node, int mostNames) {
        NameReader reader = new NameReader(node, mostNames);
        reader.request(NamePage.START);
        return reader;
    }

    private void request(String from) {
        Answers.of(node.name(), () -> node.admin().names(from)).thenAccept(this::receive);
    }

    /** Returns a future that completes when all names are there, or when the node has failed. */
    CompletableFuture<NodeAnswer<Set<String>>> answer() {
        return answer;
    }

    /** Returns {@code true} if the node has missed its limit for a page. */
    synchronized boolean isSilent() {
        return silentChecks >= SILENT_CHECKS;
    }

    private void receive(NodeAnswer<NamePage> reply) {
        NamePage page = reply.value();
        if (page == null) {
            end(reply.error());
        } else if (add(page)) {
            request(page.next());
        }
    }

    /** Adds the names of a page, and returns whether the next one is wanted. */
    private synchronized boolean add(NamePage page) {
        isAnswering = true;
        pages++;
        received += page.names().size();
        names.addAll(page.names());
        if (page.isLast()) {
            answer.complete(NodeAnswer.of(node.name(), Set.copyOf(names)));
        } else if (pages == MOST_PAGES || received > mostNames) {
            end("its list of locks does not end; ask for single locks by their names");
        }
        return !answer.isDone();
    }

    /**
     * Ends the reading if the node has sent no page since the last checks. Counts checks, which a pause does not add
     * to.
     */
    synchronized void check() {
        if (answer.isDone()) {
            return;
        }
        silentChecks = isAnswering ? 0 : silentChecks + 1;
        isAnswering = false;
        if (isSilent()) {
            end(NodeQuestions.NO_ANSWER);
        }
    }

    /** Ends the reading; the next page is the last one that the node is asked for. */
    void end(String error) {
        answer.complete(NodeAnswer.failed(node.name(), error));
    }
}
