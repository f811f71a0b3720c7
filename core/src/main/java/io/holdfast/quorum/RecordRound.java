package io.holdfast.quorum;

import io.holdfast.lease.Owner;
import io.holdfast.node.LockNode;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RecordAnswer;
import io.holdfast.record.RecordStore;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request about a record, sent to all nodes at once. It ends when all nodes have answered, at the latest at its
 * timeout. Nodes that fail count as nodes that do not answer.
 *
 * <p>Thread-safe.
 *
 * @param <T> the type of an answer
 */
public final class RecordRound<T> {

    private final CompletableFuture<List<@Nullable T>> settled = new CompletableFuture<>();
    /** The answer of each node; null: none yet. */
    private final List<@Nullable T> answers;

    private int missing;

    private RecordRound(int nodes) {
        this.answers = new ArrayList<>(Collections.nCopies(nodes, null));
        this.missing = nodes;
    }

    /**
     * Reads a record. Waits for all nodes: a restarted node may lack the record, and a single node may be the only one
     * that has it.
     */
    public static CompletableFuture<LockRecord> read(NodeGroup group, String resource, Duration timeout) {
        return new RecordRound<RecordAnswer>(group.nodes().size())
                .start(group, store -> store.read(resource), timeout)
                .thenApply(answers -> NewestRecord.of(answers, group.sets()));
    }

    /**
     * Writes a record on all nodes. The result is {@code true} if a majority has stored it. Waits for all nodes,
     * because a process that ends at a majority may end before the other nodes have it.
     */
    public static CompletableFuture<Boolean> write(
            NodeGroup group, String resource, Owner owner, LockRecord record, Duration keep, Duration timeout) {
        return new RecordRound<Boolean>(group.nodes().size())
                .start(group, store -> store.write(resource, owner, record, keep), timeout)
                .thenApply(answers -> group.sets().isMajority(NodeSets.where(answers, Boolean.TRUE::equals)));
    }

    private CompletableFuture<List<@Nullable T>> start(
            NodeGroup group, Function<RecordStore, CompletionStage<T>> request, Duration timeout) {
        Time.Timer timer = group.time().schedule(timeout, this::settle);
        settled.thenRun(timer::cancel);
        for (int i = 0; i < answers.size(); i++) {
            int index = i;
            ask(group.nodes().get(i), request).whenComplete((answer, failure) -> count(index, answer));
        }
        return settled;
    }

    private static <T> CompletionStage<T> ask(LockNode node, Function<RecordStore, CompletionStage<T>> request) {
        try {
            return request.apply(node.records());
        } catch (RuntimeException broken) {
            return CompletableFuture.failedFuture(broken);
        }
    }

    private void count(int index, @Nullable T answer) {
        synchronized (this) {
            missing--;
            answers.set(index, answer);
            if (missing > 0) {
                return;
            }
        }
        settle();
    }

    private void settle() {
        List<@Nullable T> known;
        synchronized (this) {
            known = new ArrayList<>(answers);
        }
        settled.complete(known);
    }
}
