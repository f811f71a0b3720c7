package io.holdfast.node.batch;

import io.holdfast.node.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/** Claims of different resources that are written together, in the order in which they were added. Thread-safe. */
final class Batch<R> {

    private final List<Claim> claims = new ArrayList<>(1);
    private final List<CompletableFuture<R>> replies = new ArrayList<>(1);
    private boolean isWritten;

    /**
     * Adds the claim, whose reply completes the future. Returns {@code false} if the batch is written or full, or
     * contains a claim of the same resource, which has to be carried out first.
     */
    synchronized boolean add(Claim claim, CompletableFuture<R> reply) {
        if (isWritten || claims.size() >= ClaimBatches.MAX_CLAIMS || contains(claim.resource())) {
            return false;
        }
        // If memory ends in between, the claims still match the replies.
        replies.add(reply);
        claims.add(claim);
        return true;
    }

    private boolean contains(String resource) {
        for (Claim claim : claims) {
            if (claim.resource().equals(resource)) {
                return true;
            }
        }
        return false;
    }

    /** Sends all claims that are added until they are written. */
    void send(ClaimBatches.Sender<R> sender) {
        sender.send(this::write).thenAccept(this::complete).whenComplete((done, failure) -> {
            if (failure != null) {
                fail(failure);
            }
        });
    }

    private synchronized List<Claim> write() {
        isWritten = true;
        return List.copyOf(claims);
    }

    private void complete(IntFunction<R> replied) {
        // Claims that were never written are not accepted any more either.
        int count = write().size();
        for (int i = 0; i < count; i++) {
            replies.get(i).complete(replied.apply(i));
        }
    }

    private void fail(Throwable failure) {
        write();
        replies.forEach(reply -> reply.completeExceptionally(failure));
    }
}
