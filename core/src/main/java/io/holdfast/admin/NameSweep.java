package io.holdfast.admin;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin.NamePage;
import io.holdfast.node.NodeAnswer;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads the names that one node knows, round and round, and only so many keys per second. Thread-safe; the steps are
 * taken by one thread.
 */
final class NameSweep {

    /** The keys of a node that are read per second, for which a server needs about 4 ms. */
    static final long KEYS_PER_SECOND = 4_000;

    /** The most names of a step; a hostile server would send names without end. */
    private static final int MOST_FOUND = 20_000;

    private static final CompletableFuture<?> NOTHING = CompletableFuture.completedFuture(null);

    private final LockNode node;
    private final Set<String> found = new HashSet<>();
    private String next = NamePage.START;
    private String error = "";
    private long keys;
    private long keysOfRound;
    private long allowed;
    private boolean isOpen;
    private boolean isComplete;
    private @Nullable Moment last;

    NameSweep(LockNode node) {
        this.node = node;
    }

    /**
     * The progress of a sweep.
     *
     * @param isComplete whether all keys were read at least once
     * @param keys about how many keys there are; if it is not complete, how many were read
     * @param error why the node does not list its names; empty if it does
     */
    record Progress(boolean isComplete, long keys, String error) {}

    /** Requests the pages that are due, at most one round. Returns a future of their end. */
    CompletableFuture<?> step(Moment now) {
        CompletableFuture<?> end = new CompletableFuture<>();
        synchronized (this) {
            Duration passed = last == null ? Duration.ofSeconds(1) : now.surelySince(last);
            last = now;
            long added = KEYS_PER_SECOND
                    * Durations.shorter(passed, Duration.ofSeconds(1)).toMillis()
                    / 1_000;
            allowed = Math.min(KEYS_PER_SECOND, allowed + added);
            if (isOpen || allowed <= 0) {
                return NOTHING;
            }
            isOpen = true;
        }
        request(end);
        return end;
    }

    private void request(CompletableFuture<?> end) {
        Answers.of(node.name(), () -> node.admin().names(next)).thenAccept(answer -> {
            if (add(answer)) {
                request(end);
            } else {
                end.complete(null);
            }
        });
    }

    /** Adds the names of a page, and returns whether the step goes on. */
    private synchronized boolean add(NodeAnswer<NamePage> answer) {
        NamePage page = answer.value();
        error = answer.error();
        next = page == null ? NamePage.START : page.next();
        if (page != null) {
            page.names().stream().limit(MOST_FOUND - found.size()).forEach(found::add);
            keysOfRound += page.keys();
            allowed -= page.keys();
            if (page.isLast()) {
                isComplete = true;
                keys = keysOfRound;
            }
        }
        boolean isEnd = page == null || page.isLast();
        keysOfRound = isEnd ? 0 : keysOfRound;
        isOpen = !isEnd && allowed > 0 && found.size() < MOST_FOUND;
        return isOpen;
    }

    /** Returns the names that were found since the last call. */
    synchronized Set<String> take() {
        Set<String> taken = Set.copyOf(found);
        found.clear();
        return taken;
    }

    synchronized Progress progress() {
        return new Progress(isComplete, isComplete ? keys : keysOfRound, error);
    }
}
