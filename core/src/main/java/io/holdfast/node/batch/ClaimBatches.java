package io.holdfast.node.batch;

import io.holdfast.node.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The order in which one connection writes claims, and the batches of those that are written together. A claim that
 * arrives while earlier ones have not been written is added to their batch, so a claim never waits for others. Claims
 * of one resource are written in the order of the calls, each in a batch of its own.
 *
 * <p>Thread-safe. Nothing here blocks.
 *
 * @param <R> the reply to one claim
 */
public final class ClaimBatches<R> {

    /** The most claims in one batch: few enough that commands behind it are hardly delayed. */
    public static final int MAX_CLAIMS = 100;

    private final InOrder order = new InOrder();
    /** The last batch, if nothing was sent after it. Used only by the thread that runs the tasks. */
    private @Nullable Batch<R> last;

    /**
     * Sends claims in one message.
     *
     * @param <R> the reply to one claim
     */
    @FunctionalInterface
    public interface Sender<R> {

        /**
         * Sends the claims. The stage returns the reply to each claim by its index.
         *
         * @param claims returns the claims, at least one; called when the message is written, as claims are accepted
         *     until then
         */
        CompletionStage<IntFunction<R>> send(Supplier<List<Claim>> claims);
    }

    /**
     * Returns {@code true} if the claim may be in a batch: an exclusive acquire, release or withdrawal without a
     * ticket.
     */
    public static boolean accepts(Claim claim) {
        return claim.ticket() == null
                && !claim.isShared()
                && (claim.action() == Claim.Action.ACQUIRE || claim.action() == Claim.Action.RELEASE);
    }

    /** Creates the order of a connection over which no claim was sent. */
    public ClaimBatches() {}

    /**
     * Sends claims in as few batches as possible. Returns one stage for each claim, in their order.
     *
     * @param sender sends one batch; called once for each batch that begins with one of these claims
     */
    public List<CompletionStage<R>> send(List<Claim> claims, Sender<R> sender) {
        List<CompletableFuture<R>> replies = new ArrayList<>(claims.size());
        claims.forEach(claim -> replies.add(new CompletableFuture<>()));
        CompletionStage<Boolean> sent = order.run(() -> {
            sendNow(claims, replies, sender);
            return CompletableFuture.completedFuture(true);
        });
        sent.whenComplete((done, failure) -> {
            if (failure != null) {
                replies.forEach(reply -> reply.completeExceptionally(failure));
            }
        });
        return List.copyOf(replies);
    }

    private void sendNow(List<Claim> claims, List<CompletableFuture<R>> replies, Sender<R> sender) {
        List<Batch<R>> begun = new ArrayList<>(1);
        @Nullable Batch<R> batch = last;
        // No later claim is added to a batch if this call fails before the batch is sent.
        last = null;
        for (int i = 0; i < claims.size(); i++) {
            if (batch == null || !batch.add(claims.get(i), replies.get(i))) {
                batch = new Batch<>();
                batch.add(claims.get(i), replies.get(i));
                begun.add(batch);
            }
        }
        begun.forEach(fresh -> fresh.send(sender));
        last = batch;
    }

    /** Sends something else, after all claims of earlier calls and before those of later ones. */
    public <T> CompletionStage<T> sendAlone(Supplier<CompletionStage<T>> command) {
        return order.call(() -> {
            last = null;
            return command.get();
        });
    }

    /** Sends what a thread that failed has left. */
    public void resume() {
        order.resume();
    }
}
