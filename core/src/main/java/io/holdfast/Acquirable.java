package io.holdfast;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Something that can be acquired: a {@link DistributedLock}, a semaphore, a set of locks, or a lock for one of its
 * owners. Each acquisition grants something {@link Held} of its own.
 *
 * <p>All methods wait and fail as {@link #acquire(LockOptions)} does, for {@link LockOptions#waitLimit} or for the
 * duration that they are given. A method whose name begins with {@code try} does not wait for another holder unless it
 * is given a duration. A method whose name ends with {@code Async} does not block: its future fails with what the
 * blocking method would throw, and to end the future ends the wait.
 *
 * <p>A test may implement the three methods without a body; the others are made of them. Implementations are
 * thread-safe.
 *
 * @param <H> what is held
 */
public interface Acquirable<H extends Held> {

    /** Returns the options that hold for each acquisition, unless it is given others. */
    LockOptions options();

    /**
     * Waits and acquires, with these options instead of {@link #options()}. Waits at most for {@link
     * LockOptions#waitLimit}, for other holders as well as for nodes that do not vote, and makes at least one round.
     *
     * @return what is held; {@linkplain Held#close close} it to release it
     * @throws LockTimeoutException if another holder had it until the wait limit was over; nothing is held then
     * @throws QuorumUnreachableException if too few nodes voted until the limit was over, or can vote until an
     *     administrator changes something; nothing is held then
     * @throws LeaseLostException if a lease that is part of it was held before the end of the wait, and was lost
     * @throws InterruptedException if the thread is interrupted; nothing is held then that was not held before
     * @throws IllegalArgumentException if the lease is longer than {@link HoldfastOptions#maxLease}
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    H acquire(LockOptions with) throws InterruptedException;

    /**
     * Waits and acquires without blocking; see {@link #acquire(LockOptions)}.
     *
     * @return a future of what is held, or of the failure. It completes on a thread that may block, or is complete at
     *     once. Cancelling it, or completing it in any other way, ends the wait; nothing is held then that was not
     *     held before
     * @throws IllegalArgumentException if the lease is longer than {@link HoldfastOptions#maxLease}; thrown by this
     *     call, not by the future
     */
    CompletableFuture<H> acquireAsync(LockOptions with);

    /**
     * Waits and acquires, at most for {@link LockOptions#waitLimit}, by default 30 s; see {@link
     * #acquire(LockOptions)}.
     */
    default H acquire() throws InterruptedException {
        return acquire(options());
    }

    /**
     * Waits and acquires, at most this long; see {@link #acquire(LockOptions)}.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: does not wait for a holder
     * @throws IllegalArgumentException if the duration is negative
     */
    default H acquire(Duration waitLimit) throws InterruptedException {
        return acquire(waitingFor(waitLimit));
    }

    /**
     * Acquires if it is free, without waiting for a holder. Blocks for one round in general, at most for the node
     * timeout. If several clients asked at the same moment and split the votes, it asks again after random delays, up
     * to ten times, so that one of them is granted the lock. It does not wait for nodes that do not answer or do not
     * vote; a caller that wants to outlast their restart calls again.
     *
     * @return what is held, or empty if another holder has it, or if the votes were split eleven times
     */
    default Optional<H> tryAcquire() throws InterruptedException {
        return tryAcquire(Duration.ZERO);
    }

    /**
     * Waits and acquires, at most this long. Contention is a result here, not an exception.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: as {@link #tryAcquire()}
     * @return what is held, or empty if another holder had it until the wait limit was over
     * @throws IllegalArgumentException if the duration is negative
     */
    default Optional<H> tryAcquire(Duration waitLimit) throws InterruptedException {
        try {
            return Optional.of(acquire(waitLimit));
        } catch (LockTimeoutException held) {
            return Optional.empty();
        }
    }

    /**
     * Waits and acquires without blocking, at most for {@link LockOptions#waitLimit}; see {@link
     * #acquireAsync(LockOptions)}.
     */
    default CompletableFuture<H> acquireAsync() {
        return acquireAsync(options());
    }

    /**
     * Waits and acquires without blocking, at most this long; see {@link #acquireAsync(LockOptions)}.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: does not wait for a holder
     * @throws IllegalArgumentException if the duration is negative
     */
    default CompletableFuture<H> acquireAsync(Duration waitLimit) {
        return acquireAsync(waitingFor(waitLimit));
    }

    /** Acquires if it is free, without blocking and without waiting for a holder; see {@link #tryAcquire()}. */
    default CompletableFuture<Optional<H>> tryAcquireAsync() {
        return tryAcquireAsync(Duration.ZERO);
    }

    /**
     * Waits and acquires without blocking, at most this long; see {@link #tryAcquire(Duration)} and {@link
     * #acquireAsync(LockOptions)}.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: does not wait for a holder
     * @throws IllegalArgumentException if the duration is negative
     */
    default CompletableFuture<Optional<H>> tryAcquireAsync(Duration waitLimit) {
        CompletableFuture<H> acquisition = acquireAsync(waitLimit);
        CompletableFuture<Optional<H>> wanted = new CompletableFuture<>();
        wanted.whenComplete((result, failure) -> acquisition.cancel(true));
        acquisition.whenComplete((granted, failure) -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            if (cause instanceof LockTimeoutException) {
                wanted.complete(Optional.empty());
            } else if (cause != null) {
                wanted.completeExceptionally(cause);
            } else if (!wanted.complete(Optional.of(granted))) {
                granted.releaseAsync();
            }
        });
        return wanted;
    }

    /**
     * Acquires as {@link #acquire()} does, runs the body, and releases.
     *
     * @return the result of the body
     * @throws LeaseLostException if the body returned, but what was held was lost while it ran: another holder may
     *     have been inside as well
     * @throws E if the body throws it; what was held is released
     */
    default <T extends @Nullable Object, E extends Exception> T call(Body<H, T, E> body)
            throws E, InterruptedException {
        return called(acquire(), body);
    }

    /**
     * Acquires as {@link #acquire()} does, runs the body, and releases.
     *
     * @throws LeaseLostException if the body returned, but what was held was lost while it ran: another holder may
     *     have been inside as well
     * @throws E if the body throws it; what was held is released
     */
    default <E extends Exception> void run(Action<H, E> body) throws E, InterruptedException {
        this.<Boolean, E>call(held -> ran(held, body));
    }

    /**
     * Runs the body if {@link #tryAcquire()} acquires, and releases.
     *
     * @return the result of the body, or empty if another holder has what is wanted; the body did not run then
     * @throws LeaseLostException if the body returned, but what was held was lost while it ran: another holder may
     *     have been inside as well
     * @throws NullPointerException if the body ran and returned {@code null}, which would look as if it had not;
     *     {@link #tryRun} needs no result
     * @throws E if the body throws it; what was held is released
     */
    default <T, E extends Exception> Optional<T> tryCall(Body<H, T, E> body) throws E, InterruptedException {
        Optional<H> acquired = tryAcquire();
        if (acquired.isEmpty()) {
            return Optional.empty();
        }
        T result = called(acquired.get(), body);
        return Optional.of(Objects.requireNonNull(result, "the body of tryCall ran and returned null; use tryRun"));
    }

    /**
     * Runs the body if {@link #tryAcquire()} acquires, and releases.
     *
     * @return {@code true} if the body ran; {@code false} if another holder has what is wanted
     * @throws LeaseLostException if the body returned, but what was held was lost while it ran: another holder may
     *     have been inside as well
     * @throws E if the body throws it; what was held is released
     */
    default <E extends Exception> boolean tryRun(Action<H, E> body) throws E, InterruptedException {
        return this.<Boolean, E>tryCall(held -> ran(held, body)).isPresent();
    }

    /** A body of {@link Acquirable#call} and {@link Acquirable#tryCall}. */
    @FunctionalInterface
    interface Body<H extends Held, T extends @Nullable Object, E extends Exception> {

        /** Runs while this is held. Returning without a release is normal; a release is harmless. */
        T apply(H held) throws E;
    }

    /** A body of {@link Acquirable#run} and {@link Acquirable#tryRun}, without a result. */
    @FunctionalInterface
    interface Action<H extends Held, E extends Exception> {

        /** Runs while this is held. Returning without a release is normal; a release is harmless. */
        void accept(H held) throws E;
    }

    private LockOptions waitingFor(Duration waitLimit) {
        return options().toBuilder().waitLimit(waitLimit).build();
    }

    private static <H extends Held, T extends @Nullable Object, E extends Exception> T called(
            H acquired, Body<H, T, E> body) throws E {
        try (acquired) {
            T result = body.apply(acquired);
            acquired.finish();
            return result;
        }
    }

    private static <H extends Held, E extends Exception> boolean ran(H held, Action<H, E> body) throws E {
        body.accept(held);
        return true;
    }
}
