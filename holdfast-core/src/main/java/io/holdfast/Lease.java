package io.holdfast;

import io.holdfast.hold.Ending;
import io.holdfast.hold.Hold;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.lease.Owner;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
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
    private final LockClient client;
    private @Nullable CompletableFuture<ReleaseOutcome> released;

    Lease(Hold hold, LockClient client) {
        this.hold = hold;
        this.client = client;
    }

    /** What is locked. */
    public String resource() {
        return hold.claim().resource();
    }

    /**
     * The secret by which the nodes know the holder: a process that has it can release the lock. Leases that are handed over within this
     * process have one owner; use {@link #handle} or {@link #detach} to give the lock to another process.
     */
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

    /** Returns {@code true} if the lease may be relied on at this moment: it is neither lost nor released. No round trip. */
    public boolean isValid() {
        return state().isValid();
    }

    /** Throws if the lease was lost; a lease that the caller has released itself is fine. */
    void requireValid() {
        if (state() == LeaseState.LOST) {
            throw overException();
        }
    }

    /** How long before the end of the validity a loss is told. */
    public Duration lossMargin() {
        return hold.parameters().margin();
    }

    /**
     * Returns normally if the lease may be relied on for this long from now, extending it if need be.
     *
     * @param duration at most {@link HoldfastOptions#maxLease}, less drift and a round trip if the lease is to be extended
     * @throws LeaseLostException if it is lost, released, or cannot be made to last that long
     * @throws IllegalArgumentException if the lease is live, and the duration is longer than {@link HoldfastOptions#maxLease}
     */
    public void ensure(Duration duration) {
        if (!state().isValid()) {
            throw overException();
        }
        if (remaining().compareTo(duration) >= 0) {
            return;
        }
        client.options().requireLease(duration);
        extend(enoughFor(duration));
        if (remaining().compareTo(duration) < 0) {
            throw new LeaseLostException(
                    resource(),
                    "The lease on '" + resource() + "' has " + remaining().toMillis() + " ms left, not the "
                            + duration.toMillis() + " ms asked for, and could not be extended");
        }
    }

    /** Returns the extension that leaves this validity after drift and a slow round, as far as the bounds of leases allow it. */
    private Duration enoughFor(Duration duration) {
        Duration enough = duration.plus(hold.parameters().drift().of(duration))
                .plus(hold.parameters().nodeTimeout());
        Duration bound = Durations.shorter(client.options().maxLease(), hold.extensible());
        return Durations.longer(OptionChecks.MIN_LEASE, Durations.shorter(enough, bound));
    }

    /**
     * Asks the nodes to keep the lock for this long from now. It is never made shorter than it is. Blocks for one round.
     * Renewals go on meanwhile, and keep the lease for longer than that if need be.
     *
     * @param duration from 10 ms to {@link HoldfastOptions#maxLease}
     * @return whether a majority confirmed it; false if too few nodes answered, or if {@code holdLimit} does not allow it, and
     *     then the lease is as long as before
     * @throws LeaseLostException if the lease is lost or released
     * @throws IllegalArgumentException if the duration is out of range
     */
    public boolean extend(Duration duration) {
        return Blocking.join(extendNow(duration));
    }

    /** The same as {@link #extend}, without blocking; the future completes on a thread that may block. */
    public CompletableFuture<Boolean> extendAsync(Duration duration) {
        return extendNow(duration).thenApplyAsync(extended -> extended, client::execute);
    }

    private CompletableFuture<Boolean> extendNow(Duration duration) {
        OptionChecks.lease("lease", duration);
        client.options().requireLease(duration);
        if (state().isValid() && duration.compareTo(hold.extensible()) > 0) {
            return CompletableFuture.completedFuture(false);
        }
        return confirmed(hold.extend(duration));
    }

    /**
     * Calls back once if the lease is lost, at once if it has been; never if it is released. On a thread of its own, so it
     * may block; an exception from it is logged.
     */
    public void onLost(Consumer<Loss> callback) {
        hold.lost().thenAccept(loss -> client.execute(() -> callback.accept(loss)));
    }

    /** Completes if the lease is lost, with the reason; never if it is released. On a thread that may block. */
    public CompletableFuture<Loss> lost() {
        return hold.lost().thenApplyAsync(loss -> loss, client::execute);
    }

    /**
     * Returns what another process, or this one after a crash, needs to go on with the lease by {@link Holdfast#resume}. As long as this
     * lease is kept, both hold the lock, and the first to release it ends it for both: a release goes to the nodes, and hands the
     * lock to no waiter of this process. A lease that was resumed is not handed over either.
     *
     * @throws LeaseLostException if the lease was released before its first handle was given
     */
    public DetachedLease handle() {
        if (!hold.revealOwner()) {
            throw overException();
        }
        return DetachedLease.of(hold.claim());
    }

    /**
     * Stores a note about this holder on the nodes, which {@code LockAdmin.status} and {@code holdfast status} show. Does not wait for the
     * nodes, and fails silently.
     *
     * @param text such as a host and a process id; empty: deletes the note
     */
    public void annotate(String text) {
        client.annotate(hold.claim(), text);
    }

    /**
     * Hands the lock on: ends the lease here without giving the lock up. It stays on the nodes for {@link LockOptions#lease} from the
     * last renewal, within which another has to {@linkplain Holdfast#resume resume} it. After that, {@link #release} and {@link
     * #close} of this lease, and closing the {@link Holdfast}, send nothing and leave the lock alone.
     *
     * @throws LeaseLostException if the lease is lost or released
     */
    public DetachedLease detach() {
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
        return Blocking.join(confirmed(hold.downgrade()));
    }

    /** The same as {@link #downgrade}, without blocking; the future completes on a thread that may block. */
    public CompletableFuture<Boolean> downgradeAsync() {
        return confirmed(hold.downgrade()).thenApplyAsync(shared -> shared, client::execute);
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
     * lease is lost; without any effect when it was {@linkplain #detach detached}. A second call returns what the first did. Not
     * stopped by an interrupt.
     */
    public ReleaseOutcome release() {
        return Blocking.join(releaseNow());
    }

    /** The same as {@link #release}, without blocking; the future completes on a thread that may block. */
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        return releaseNow().thenApplyAsync(outcome -> outcome, client::execute);
    }

    private synchronized CompletableFuture<ReleaseOutcome> releaseNow() {
        if (released == null) {
            released = hold.release().thenApply(Lease::outcome);
        }
        return released;
    }

    private static ReleaseOutcome outcome(Ending ending) {
        return switch (ending) {
            case RELEASED -> ReleaseOutcome.RELEASED;
            case NOT_HELD -> ReleaseOutcome.NOT_HELD;
            case UNCONFIRMED -> ReleaseOutcome.UNCONFIRMED;
        };
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
