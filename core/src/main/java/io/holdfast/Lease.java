package io.holdfast;

import io.holdfast.client.LockClient;
import io.holdfast.client.LossCallbacks;
import io.holdfast.event.Registration;
import io.holdfast.hold.Hold;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.lease.Owner;
import io.holdfast.lease.ReleaseOutcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lock that is held, until it is released or lost. Closing the lease releases the lock.
 *
 * <p>A lease can be lost while it is held: the nodes may be unreachable for longer than it lasts, or this process may
 * be stopped. A local timer, which needs no network, reports the loss a {@linkplain #lossMargin margin} before the end
 * of the validity. A loss is final. An action that must not happen twice, even if this process is paused beyond the
 * margin, needs the {@linkplain #fencingToken fencing token}, checked by the resource that the lock guards.
 *
 * <p>Memory effects: actions of a thread before it releases the lease <i>happen before</i> the actions of another
 * thread of this process after that thread was granted the same lock. Actions before a loss have no such order.
 *
 * <p>Thread-safe: any thread may use and close it, and it is not re-entrant. Only the methods that say so block.
 */
public final class Lease implements Held {

    private final String name;
    private final Hold hold;
    private final LockClient client;
    private @Nullable CompletableFuture<ReleaseOutcome> released;
    private @Nullable LossCallbacks callbacks;

    Lease(String name, Hold hold, LockClient client) {
        this.name = name;
        this.hold = hold;
        this.client = client;
    }

    /** Returns the name of the lock. */
    public String resource() {
        return name;
    }

    /**
     * Returns the secret by which the nodes know the holder: a process that has it can release the lock. Leases handed
     * over within this process share it; {@link #handle} and {@link #detach} pass it to another process.
     */
    public Owner owner() {
        return hold.claim().owner();
    }

    /** Returns a number above those of all leases of this resource granted before this acquisition began. */
    public FencingToken fencingToken() {
        return hold.claim().fence();
    }

    @Override
    public Duration remaining() {
        return hold.remaining();
    }

    /** Returns the state now, without a round trip. A lease whose time is over is lost, even if its timer is late. */
    public LeaseState state() {
        return hold.state();
    }

    @Override
    public boolean isValid() {
        return state().isValid();
    }

    /** Returns {@code true} if the lock is held in shared mode. */
    public boolean isShared() {
        return hold.claim().isShared();
    }

    /** Returns how long before the end of the validity a loss is reported; see {@link LockOptions#margin}. */
    public Duration lossMargin() {
        return hold.parameters().margin();
    }

    @Override
    public void ensureValidFor(Duration duration) {
        operations().ensureValidFor(OptionChecks.given("duration", duration));
    }

    /**
     * Asks the nodes to keep the lock for this long from now. A lease is never made shorter. Blocks for one round, at
     * most for the node timeout. Renewals continue, and keep the lease for longer than that if necessary.
     *
     * @param duration from 10 ms to {@link HoldfastOptions#maxLease}
     * @return {@code true} if a majority confirmed it; {@code false} if too few nodes answered or the hold limit
     *     forbids it; the lease is then as long as before
     * @throws LeaseLostException if the lease is lost or released
     * @throws IllegalArgumentException if the duration is out of range
     */
    public boolean extend(Duration duration) {
        return Blocking.join(client.time(), operations().extend(duration));
    }

    /**
     * Asks the nodes to keep the lock for this long from now, without blocking; see {@link #extend}.
     *
     * @param duration from 10 ms to {@link HoldfastOptions#maxLease}
     * @return a future of the result of {@link #extend} or of its {@link LeaseLostException}, on the {@linkplain
     *     HoldfastOptions#callbackExecutor callback executor}
     * @throws IllegalArgumentException if the duration is out of range; thrown by this call, not by the future
     */
    public CompletableFuture<Boolean> extendAsync(Duration duration) {
        return client.delivered(operations().extend(duration));
    }

    /**
     * Replaces the {@linkplain LockOptions#holdLimit hold limit}: the lease ends at the latest this long from now. It
     * is then lost for the reason {@link io.holdfast.lease.LossReason#HOLD_LIMIT}, a {@linkplain #lossMargin margin}
     * before. The nodes may keep the lock until its last confirmed end; a release removes it. Does not block.
     *
     * @param fromNow zero or more; zero ends the lease at once; 100 years and more mean no limit
     * @throws LeaseLostException if the lease is lost or released
     * @throws IllegalArgumentException if the duration is negative
     */
    public void limit(Duration fromNow) {
        operations().limit(fromNow);
    }

    @Override
    public Registration onLost(Consumer<Loss> callback) {
        return callbacks().add(OptionChecks.given("callback", callback));
    }

    private synchronized LossCallbacks callbacks() {
        LossCallbacks present = callbacks;
        if (present == null) {
            present = new LossCallbacks(client::execute);
            // First: an error in here, as of a full stack, must not leave callbacks that learn of no loss.
            hold.lost().thenAccept(present::lost);
            callbacks = present;
        }
        return present;
    }

    /**
     * Returns a future that completes with the reason if the lease is lost, and never otherwise. It completes on the
     * {@linkplain HoldfastOptions#callbackExecutor callback executor}. Completing it does not affect the lease.
     * Each call adds a future, which stays until the lease or that future has ended.
     */
    public CompletableFuture<Loss> lossFuture() {
        return callbacks().future();
    }

    /**
     * Returns the data by which another process, or this one after a crash, continues the lease with {@link
     * Holdfast#attach}. This lease stays valid: both hold the lock. The first release of a valid lease ends it for
     * both, and a {@link #downgrade} ends it for the other process, which notices that at its next renewal. A release
     * is not handed over in this process. The same holds for an attached lease.
     *
     * @throws LeaseLostException if the lease was released before this method was called for the first time
     */
    public DetachedLease handle() {
        operations().requireLive(hold.revealOwner());
        return DetachedLease.of(hold.claim());
    }

    /**
     * Ends the lease in this process without releasing the lock, so that another process can {@linkplain
     * Holdfast#attach attach} it. The nodes keep the lock for {@link LockOptions#lease} from the last renewal. {@link
     * #release} and {@link #close}, and closing the {@link Holdfast}, then send nothing. Does not block.
     *
     * @throws LeaseLostException if the lease is lost or released
     */
    public DetachedLease detach() {
        operations().requireLive(hold.detach());
        return handle();
    }

    /**
     * Stores a note about this holder for {@code LockAdmin.status} until the lease ends. Does not wait, so a node that
     * does not store it is not reported.
     *
     * @param text at most 1,024 characters; empty: deletes the note. The next holder reads the {@link #record} instead
     * @throws IllegalArgumentException if the text is too long
     */
    public void annotate(String text) {
        client.nodes().annotate(hold.claim(), text);
    }

    /** Returns the record beside the lock, a text for the next holder. Makes no round trip. */
    public HeldRecord record() {
        return new HeldRecord(hold, client);
    }

    /**
     * Downgrades an exclusive lease to {@linkplain DistributedLock#shared shared} mode, and extends it. The fencing
     * token stays the same. There is no upgrade: two shared holders that both upgrade would wait for each other. Blocks
     * for one round, at most for the node timeout. Only extends a lease that is shared already. Another process with
     * the {@link #handle} considers its lease exclusive until its next renewal, at which it loses the lease.
     *
     * @return {@code true} if a majority admits other shared holders; if {@code false}, the renewals repeat the request
     * @throws LeaseLostException if the lease is lost or released
     */
    public boolean downgrade() {
        return Blocking.join(client.time(), operations().downgrade());
    }

    /**
     * Downgrades an exclusive lease to shared mode, without blocking; see {@link #downgrade}.
     *
     * @return a future as that of {@link #extendAsync}, of the result of {@link #downgrade}
     */
    public CompletableFuture<Boolean> downgradeAsync() {
        return client.delivered(operations().downgrade());
    }

    LeaseOperations operations() {
        return new LeaseOperations(hold, client);
    }

    /**
     * Releases the lock, and waits until a majority of the nodes has answered, at most for the node timeout. Throws
     * nothing if the lease is lost. Has no effect on a {@linkplain #detach detached} lease. A second call returns the
     * result of the first. An interrupt does not end the wait; it stays set.
     */
    public ReleaseOutcome release() {
        return release(Duration.ZERO);
    }

    /**
     * Ends the lease as {@link #release} does, but the nodes keep the lock for exactly this long from now, also if this
     * process ends. Until then no client acquires it: a task that is done early does not run again where a clock is
     * behind. Nothing extends the time; {@code LockAdmin.breakLock} ends it. A shared lease can still be shared.
     *
     * @param keep from zero, which releases the lock, to {@link HoldfastOptions#maxLease}
     * @return only {@link ReleaseOutcome#RELEASED} means that the lock stays held for this long, less the clocks' drift
     * @throws IllegalArgumentException if the duration is out of range, and then the lease continues
     */
    public ReleaseOutcome release(Duration keep) {
        return Blocking.join(client.time(), releaseNow(keep));
    }

    /** {@inheritDoc} Its result is that of {@link #release}. */
    @Override
    public CompletableFuture<ReleaseOutcome> releaseAsync() {
        return releaseAsync(Duration.ZERO);
    }

    /**
     * Ends the lease as {@link #release(Duration)} does, with the same exception, but without blocking.
     *
     * @return a future as that of {@link #releaseAsync()}
     */
    public CompletableFuture<ReleaseOutcome> releaseAsync(Duration keep) {
        return client.delivered(releaseNow(keep));
    }

    private synchronized CompletableFuture<ReleaseOutcome> releaseNow(Duration keep) {
        operations().requireRetention(keep);
        released = released == null ? operations().release(keep) : released;
        return released;
    }

    @Override
    public void finish() {
        Blocking.join(client.time(), finished());
    }

    @Override
    public CompletableFuture<Void> finishAsync() {
        return client.delivered(finished());
    }

    private CompletableFuture<Void> finished() {
        // Before the release: a lease that is lost between the two is lost at its release.
        boolean unfinished = state() != LeaseState.RELEASED;
        return releaseNow(Duration.ZERO).thenAccept(outcome -> {
            if (unfinished && outcome == ReleaseOutcome.NOT_HELD) {
                throw LeaseLostException.atRelease(resource());
            }
        });
    }

    @Override
    public void close() {
        try {
            release();
        } catch (Error delayed) {
            hold.releaseLater(Duration.ZERO);
        }
    }

    /** Returns the resource, the fencing token and the state; never the secret. */
    @Override
    public String toString() {
        return "Lease[" + resource() + ", fence " + fencingToken() + ", " + state() + "]";
    }
}
