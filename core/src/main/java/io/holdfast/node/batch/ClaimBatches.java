package io.holdfast.node.batch;

import io.holdfast.node.Claim;
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
     * Sends a claim, in the last batch if that accepts it.
     *
     * @param sender sends a batch; called if a new one begins with this claim
     */
    public CompletionStage<R> send(Claim claim, Sender<R> sender) {
        return order.call(() -> sendNow(claim, sender));
    }

    private CompletionStage<R> sendNow(Claim claim, Sender<R> sender) {
        CompletableFuture<R> reply = new CompletableFuture<>();
        @Nullable Batch<R> batch = last;
        // No later claim is added to a batch if this call fails before the batch is sent.
        last = null;
        if (batch == null || !batch.add(claim, reply)) {
            batch = new Batch<>();
            batch.add(claim, reply);
            batch.send(sender);
        }
        last = batch;
        return reply;
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
