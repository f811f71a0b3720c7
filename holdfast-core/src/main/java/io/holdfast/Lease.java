package io.holdfast;

import io.holdfast.event.LeaseState;
import io.holdfast.event.Loss;
import io.holdfast.node.Claim;
import io.holdfast.node.FencingToken;
import io.holdfast.node.Owner;
import io.holdfast.quorum.Hold;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Verdict;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lock that is held. Close it to give the lock up.
 *
 * <p>A lease is bound to no thread and is not re-entrant: whoever has it may use and close it. It is thread-safe.
 *
 * <p>A lease can be lost while it is held: the nodes may be out of reach for longer than it lasts, or this process may be
 * stopped. The loss is told a {@linkplain #lossMargin margin} before the end of the validity, by a local timer that needs
 * no network. It is final. What must not happen twice even if this process is paused beyond the margin needs the
 * {@linkplain #fencingToken fencing token}, checked by whatever the lock guards.
 */
public final class Lease implements AutoCloseable {

    private final Hold hold;
    private final Time time;
    private final HoldfastOptions options;
    private @Nullable CompletableFuture<ReleaseOutcome> released;

    Lease(Hold hold, Time time, HoldfastOptions options) {
        this.hold = hold;
        this.time = time;
        this.options = options;
    }

    /** What is locked. */
    public String resource() {
        return hold.claim().resource();
    }

    /** The secret by which the nodes know the holder. Whoever has it can release the lock. */
    public Owner owner() {
        return hold.claim().owner();
    }

    /** A number greater than that of every lease of this resource that was granted before this acquire began. */
    public FencingToken fencingToken() {
        return hold.claim().fence();
    }

    /** How long the lease may be relied on without a further renewal; zero once it is lost or released. */
    public Duration remaining() {
        return hold.remaining();
    }

    /** Where the lease stands at this moment, without a round trip. */
    public LeaseState state() {
        return hold.state();
    }

    /** How long before the end of the validity a loss is told. */
    public Duration lossMargin() {
        return hold.terms().margin();
    }

    /**
     * Returns normally if the lease may be relied on for this long from now, extending it if need be.
     *
     * @throws LeaseLostException if it is lost, released, or cannot be made to last that long
     */
    public void ensure(Duration duration) {
        if (remaining().compareTo(duration) >= 0) {
            return;
        }
        extend(duration.plus(hold.terms().drift().of(duration))
                .plus(hold.terms().nodeTimeout()));
        if (remaining().compareTo(duration) < 0) {
            throw new LeaseLostException(
                    resource(),
                    "The lease on '" + resource() + "' has " + remaining().toMillis() + " ms left, not the "
                            + duration.toMillis() + " ms asked for, and could not be extended");
        }
    }

    /**
     * Asks the nodes to keep the lock for this long from now. It is never made shorter than it is. Blocks for one round.
     *
     * @param duration from 10 ms to {@link HoldfastOptions#maxLease}
     * @return whether a majority confirmed it; false if too few nodes answered, or if {@code holdLimit} does not allow it, and
     *     then the lease is as long as before
     * @throws LeaseLostException if the lease is lost or released
     * @throws IllegalArgumentException if the duration is out of range
     */
    public boolean extend(Duration duration) {
        return Joining.join(extendNow(duration));
    }

    /** The same as {@link #extend}, without blocking; the stage completes on a thread that may block. */
    public CompletionStage<Boolean> extendAsync(Duration duration) {
        return extendNow(duration).thenApplyAsync(extended -> extended, time::execute);
    }

    private CompletableFuture<Boolean> extendNow(Duration duration) {
        Require.lease("lease", duration);
        options.requireLease(duration);
        if (state().isLive() && duration.compareTo(hold.extensible()) > 0) {
            return CompletableFuture.completedFuture(false);
        }
        return confirmed(hold.extend(duration));
    }

    /**
     * Calls back once if the lease is lost, at once if it has been; never if it is released. On a thread of its own, so it
     * may block; an exception from it is logged.
     */
    public void onLost(Consumer<Loss> callback) {
        hold.lost().thenAccept(loss -> time.execute(() -> callback.accept(loss)));
    }

    /** Completes if the lease is lost, with the reason; never if it is released. On a thread that may block. */
    public CompletionStage<Loss> lost() {
        return hold.lost().thenApplyAsync(loss -> loss, time::execute);
    }

    /**
     * What another process, or this one after a crash, needs to go on with the lease by {@link Holdfast#resume}. It changes nothing:
     * as long as this lease is kept, both hold the lock, and the first to release it ends it for both.
     */
    public LeaseHandle handle() {
        return LeaseHandle.of(claim());
    }

    Claim claim() {
        return hold.claim();
    }

    /**
     * Hands the lock on: ends the lease here without giving the lock up. It stays on the nodes for {@link LockOptions#lease} from the
     * last renewal, within which another has to {@linkplain Holdfast#resume resume} it.
     *
     * @throws LeaseLostException if the lease is lost or released
     */
    public LeaseHandle detach() {
        if (!hold.detach()) {
            throw overException();
        }
        return handle();
    }

    /** Whether the lock is held with others who hold it shared. */
    public boolean isShared() {
        return hold.claim().isShared();
    }

    /**
     * Shares the lock from now on with others who want it {@linkplain DistributedLock#shared shared}, and extends the lease. The fencing
     * token stays the same. There is no way back but to release it: two who hold it shared and both want it alone would wait for each
     * other. Blocks for one round; has no other effect on a lease that is shared.
     *
     * @return whether a majority of the nodes lets others in; if not, the renewals go on asking
     * @throws LeaseLostException if the lease is lost or released
     */
    public boolean downgrade() {
        return Joining.join(confirmed(hold.share()));
    }

    /** The same as {@link #downgrade}, without blocking; the stage completes on a thread that may block. */
    public CompletionStage<Boolean> downgradeAsync() {
        return confirmed(hold.share()).thenApplyAsync(shared -> shared, time::execute);
    }

    private CompletableFuture<Boolean> confirmed(CompletableFuture<Hold.Extension> extended) {
        return extended.thenApply(extension -> {
            if (extension == Hold.Extension.ENDED) {
                throw overException();
            }
            return extension == Hold.Extension.CONFIRMED;
        });
    }

    private LeaseLostException overException() {
        return new LeaseLostException(resource(), "The lease on '" + resource() + "' is " + state());
    }

    /**
     * Gives the lock up and waits until a majority of the nodes has answered, at most for the node timeout. Quiet when the
     * lease is lost. A second call returns what the first did. Not stopped by an interrupt.
     */
    public ReleaseOutcome release() {
        return Joining.join(releaseNow());
    }

    /** The same as {@link #release}, without blocking; the stage completes on a thread that may block. */
    public CompletionStage<ReleaseOutcome> releaseAsync() {
        return releaseNow().thenApplyAsync(outcome -> outcome, time::execute);
    }

    private synchronized CompletableFuture<ReleaseOutcome> releaseNow() {
        if (released == null) {
            boolean lost = !state().isLive();
            released = hold.passOn().thenApply(outcome -> lost ? ReleaseOutcome.NOT_HELD : outcomeOf(outcome));
        }
        return released;
    }

    /** What was handed over within the process is released, as far as this lease is concerned. */
    private static ReleaseOutcome outcomeOf(Optional<Outcome> answered) {
        if (answered.isEmpty() || answered.get().verdict() == Verdict.GRANTED) {
            return ReleaseOutcome.RELEASED;
        }
        return answered.get().tally().isDenied() ? ReleaseOutcome.NOT_HELD : ReleaseOutcome.UNCONFIRMED;
    }

    /** Releases. Throws nothing, so that it never hides an exception of the body of a try statement. */
    @Override
    public void close() {
        release();
    }

    @Override
    public String toString() {
        return "Lease[" + resource() + ", fence " + fencingToken() + ", " + state() + "]";
    }
}
