package io.holdfast;

import io.holdfast.event.Registration;
import io.holdfast.lease.Loss;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Handle of something that was acquired, such as a {@link Lease} or the leases of a set: held until it is released or
 * lost. Both are final. An {@link Acquirable} grants it.
 *
 * <p>Implementations are thread-safe, and bound to no thread: any thread may use and close them.
 */
public interface Held extends AutoCloseable {

    /** Returns {@code true} if this is neither lost nor released at this moment. Makes no round trip. */
    boolean isValid();

    /** Returns the time for which this is valid without a further renewal; zero once it is lost or released. */
    Duration remaining();

    /**
     * Returns normally if this is valid for this long from now, and extends it if necessary. Blocks for one round for
     * each lease that it extends, at most for the node timeout; otherwise returns at once.
     *
     * @param duration at most {@link HoldfastOptions#maxLease}, less drift and a round trip if a lease is to be
     *     extended
     * @throws LeaseLostException if this is lost, released, or cannot be made to last that long
     * @throws IllegalArgumentException if this is valid and the duration is longer than {@link
     *     HoldfastOptions#maxLease}
     */
    void ensureValidFor(Duration duration);

    /**
     * Registers a callback that runs once if this is lost, at once if it has been lost already, and never if it is
     * released. The callback runs on the {@linkplain HoldfastOptions#callbackExecutor callback executor}, and may
     * block; once the client is closed, it may run on the calling thread. An exception from it is logged.
     *
     * @return the registration; closing it unregisters the callback
     */
    Registration onLost(Consumer<Loss> callback);

    /**
     * Releases this after its use, as {@link #close} does, and throws if it was lost meanwhile. Has no effect if the
     * user has released it.
     *
     * @throws LeaseLostException if this was lost, or if the nodes did not keep it until its release: another holder
     *     may have been inside as well
     */
    void finish();

    /**
     * Releases this after its use, without blocking; see {@link #finish}.
     *
     * @return a future that fails with {@link LeaseLostException} where {@link #finish} throws it. It completes on the
     *     {@linkplain HoldfastOptions#callbackExecutor callback executor}
     */
    CompletableFuture<Void> finishAsync();

    /**
     * Releases this without blocking; see {@link #close}.
     *
     * @return a future that never fails. It completes when a majority of the nodes has answered, at the latest after
     *     the node timeout, on the {@linkplain HoldfastOptions#callbackExecutor callback executor}; cancelling it
     *     stops nothing
     */
    CompletableFuture<?> releaseAsync();

    /**
     * Releases this, and waits until a majority of the nodes has answered, at most for the node timeout. Throws
     * nothing, so it never masks the result of the body of a {@code try} statement; {@link #finish} reports a loss. A
     * second call has no effect.
     */
    @Override
    void close();
}
