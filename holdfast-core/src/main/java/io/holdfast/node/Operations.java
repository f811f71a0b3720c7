package io.holdfast.node;

import io.holdfast.time.Time;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What an operator asks of a node, beside its votes. No stage completes exceptionally, and each completes in the end; the caller sets
 * its own deadline.
 */
public interface Operations {

    /** How the lock stands there. */
    default CompletionStage<Told<LockView>> inspect(String resource) {
        return unable();
    }

    /** The locks that it has known for some time, in no order; those that are free among them. */
    default CompletionStage<Told<List<String>>> names() {
        return unable();
    }

    /** Takes the lock from whoever holds it; true if somebody did. */
    default CompletionStage<Told<Boolean>> evict(String resource) {
        return unable();
    }

    /** Writes something about the holder of the claim, for whoever inspects the lock; an empty text takes it back. */
    default CompletionStage<Told<Boolean>> annotate(Claim held, String text) {
        return unable();
    }

    /**
     * Looks whether the node is fit to vote. Takes a second or so.
     *
     * @param time of this process, with which that of the node is compared
     */
    default CompletionStage<Checkup> examine(Time time) {
        return CompletableFuture.completedFuture(new Checkup(Map.of(), List.of()));
    }

    private static <T> CompletionStage<Told<T>> unable() {
        return CompletableFuture.completedFuture(Told.nothing("a node of this kind cannot tell"));
    }
}
