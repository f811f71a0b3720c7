package io.holdfast;

import io.holdfast.client.LockClient;
import io.holdfast.lease.LockMode;
import io.holdfast.node.LockNode;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a lock: a resource, and how to wait for it and hold it. It holds nothing itself; each acquisition gives a {@link
 * Lease} of its own. Cheap to create; need not be kept or closed.
 *
 * <p>Memory effects: what a holder did before it released the lock <i>happens before</i> what the next holder does after it was granted
 * the lock, if both are threads of one Java process. Between processes, the guarded resource has to provide that.
 *
 * <p>Immutable and thread-safe.
 */
public final class DistributedLock {

    private final Acquisitions acquisitions;
    private final LockOptions options;

    DistributedLock(LockClient client, String resource, LockOptions options, LockMode mode) {
        this(new Acquisitions(client, resource, mode, client::execute), options);
    }

    private DistributedLock(Acquisitions acquisitions, LockOptions options) {
        this.acquisitions = acquisitions;
        this.options = options;
    }

    /** Returns the name of what is locked. It is also the key on every node. */
    public String resource() {
        return acquisitions.resource();
    }

    /** Returns the options that hold for each acquisition, unless it is given others. */
    public LockOptions options() {
        return options;
    }

    /**
     * Returns the executor that runs the callbacks of the client, for classes that are built on its locks; see {@link
     * HoldfastOptions#callbackExecutor}.
     */
    public Executor callbackExecutor() {
        return acquisitions.client()::execute;
    }

    /** Returns the clocks and threads of the client, for classes that are built on its locks. */
    public Time time() {
        return acquisitions.client().time();
    }

    /**
     * Requests something and waits for it, for classes that are built on locks: the thread parks, as in {@link
     * #acquire()}.
     *
     * @param release called for a result that arrives although the wait has ended by an interrupt or an error
     * @throws HoldfastException if the future fails with it; it has the stack trace of this thread
     * @throws InterruptedException if the thread is interrupted; the future is cancelled then
     */
    public <T> T await(Supplier<CompletableFuture<T>> request, Consumer<? super T> release)
            throws InterruptedException {
        return Blocking.get(time(), request, release);
    }

    /**
     * Returns the shared (read) mode of this lock. Any number of shared holders may hold the lock together; they exclude exclusive
     * holders. A shared request queues behind exclusive requests that have waited for longer, so writers do not starve, as far as the
     * nodes {@linkplain LockNode#canNotify can notify} clients. A shared lease has a fencing token of its own, greater than those of all
     * leases that were granted before.
     */
    public DistributedLock shared() {
        return new DistributedLock(acquisitions.with(LockMode.SHARED), options);
    }

    /**
     * Returns this lock with futures that complete on threads of the library, which may be blocked, instead of the {@linkplain
     * HoldfastOptions#callbackExecutor callback executor}. For classes that are built on locks: they go on while that executor is busy.
     */
    public DistributedLock onOwnThreads() {
        return new DistributedLock(acquisitions.with(time()::execute), options);
    }

    /** Returns {@code true} if this is the {@linkplain #shared shared} mode of the lock. */
    public boolean isShared() {
        return acquisitions.mode() == LockMode.SHARED;
    }

    /**
     * Waits for the lock, at most for {@link LockOptions#waitLimit}, by default 30 s. If too few nodes answer, waits for them at most
     * for {@link LockOptions#unreachableLimit}, which equals the wait limit unless it was set.
     *
     * @throws LockTimeoutException if another holder had the lock until the wait limit was over
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public Lease acquire() throws InterruptedException {
        return acquire(options);
    }

    /**
     * Waits for the lock at most this long; makes at least one round. If {@link LockOptions#unreachableLimit} was set, that limit still
     * bounds the wait for nodes that do not answer, and may be longer.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: does not wait for a holder
     * @throws LockTimeoutException if another holder had the lock until the wait limit was over
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalArgumentException if the duration is negative
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public Lease acquire(Duration waitLimit) throws InterruptedException {
        return acquire(waitingFor(waitLimit));
    }

    /**
     * Waits for the lock with these options instead of the options of this lock.
     *
     * @throws LockTimeoutException if another holder had the lock until the wait limit was over
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalArgumentException if the lease is longer than {@link HoldfastOptions#maxLease}
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public Lease acquire(LockOptions with) throws InterruptedException {
        return acquisitions.acquire(with);
    }

    /**
     * Takes the lock if it is free, without waiting for a holder. Blocks for one round in general, at most for the node timeout. If
     * several clients asked at the same moment and split the votes, it asks again after random delays, up to ten times, so that one of
     * them is granted the lock. If {@link LockOptions#unreachableLimit} was set, it also waits that long for nodes that do not answer, and
     * for the end of a quarantine.
     *
     * @return the lease, or empty if another holder has the lock, or if the votes were split eleven times
     * @throws QuorumUnreachableException if too few nodes answered
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public Optional<Lease> tryAcquire() throws InterruptedException {
        return tryAcquire(Duration.ZERO);
    }

    /**
     * Waits for the lock at most this long; makes at least one round. Contention is a result here, not an exception.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: as {@link #tryAcquire()}
     * @return the lease, or empty if another holder had the lock until the wait limit was over
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over
     * @throws InterruptedException if the thread is interrupted; nothing is held then
     * @throws IllegalArgumentException if the duration is negative
     * @throws IllegalStateException if the {@code Holdfast} is closed
     */
    public Optional<Lease> tryAcquire(Duration waitLimit) throws InterruptedException {
        return acquisitions.tryAcquire(waitingFor(waitLimit));
    }

    /**
     * Waits for the lock without blocking, at most for {@link LockOptions#waitLimit}; see {@link #acquireAsync(LockOptions)}.
     *
     * @return a future of the lease, or of the failure that {@link #acquire()} would throw
     */
    public CompletableFuture<Lease> acquireAsync() {
        return acquireAsync(options);
    }

    /**
     * Waits for the lock without blocking, at most this long; see {@link #acquireAsync(LockOptions)}.
     *
     * @param waitLimit takes the place of {@link LockOptions#waitLimit}; zero: does not wait for a holder
     * @throws IllegalArgumentException if the duration is negative
     */
    public CompletableFuture<Lease> acquireAsync(Duration waitLimit) {
        return acquireAsync(waitingFor(waitLimit));
    }

    /**
     * Waits for the lock without blocking, with these options instead of the options of this lock. The future completes on a thread that
     * may block, with the lease, with {@link LockTimeoutException}, {@link QuorumUnreachableException}, or, if the {@code Holdfast}
     * is closed, {@link IllegalStateException}. Cancelling it, or completing it in any other way, ends the wait; nothing is held then.
     *
     * @throws IllegalArgumentException if the lease is longer than {@link HoldfastOptions#maxLease}
     */
    public CompletableFuture<Lease> acquireAsync(LockOptions with) {
        return acquisitions.acquireAsync(with);
    }

    /**
     * Takes the lock if it is free, without blocking and without waiting for a holder; see {@link #tryAcquire()}.
     *
     * @return a future of the lease, or of empty if another holder has the lock; it fails with {@link QuorumUnreachableException} if
     *     too few nodes answered, and with {@link IllegalStateException} if the {@code Holdfast} is closed
     */
    public CompletableFuture<Optional<Lease>> tryAcquireAsync() {
        return tryAcquireAsync(Duration.ZERO);
    }

    /**
     * Waits for the lock at most this long, without blocking; see {@link #tryAcquire(Duration)}. Cancelling the future, or completing
     * it in any other way, ends the wait; nothing is held then.
     *
     * @return a future of the lease, or of empty if another holder had the lock until the wait limit was over; it fails with {@link
     *     QuorumUnreachableException} if too few nodes answered, and with {@link IllegalStateException} if the {@code Holdfast} is closed
     * @throws IllegalArgumentException if the duration is negative
     */
    public CompletableFuture<Optional<Lease>> tryAcquireAsync(Duration waitLimit) {
        return acquisitions.tryAcquireAsync(waitingFor(waitLimit));
    }

    /**
     * Acquires the lock, runs the body, and releases the lock.
     *
     * @return the result of the body
     * @throws LeaseLostException if the body returned, but the lease was lost while it ran: another holder may have been inside as well
     * @throws LockTimeoutException if another holder had the lock until the wait limit was over; the body did not run
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over; the body did not run
     * @throws InterruptedException if the thread is interrupted while it waits; the body did not run
     * @throws IllegalStateException if the {@code Holdfast} is closed; the body did not run
     * @throws E if the body throws it; the lock is released
     */
    public <T extends @Nullable Object, E extends Exception> T call(LeaseFunction<T, E> body)
            throws E, InterruptedException {
        try (Lease lease = acquire()) {
            T result = body.apply(lease);
            lease.extensions().end(lease);
            return result;
        }
    }

    /**
     * Acquires the lock, runs the body, and releases the lock; see {@link #call}.
     *
     * @throws LeaseLostException if the body returned, but the lease was lost while it ran: another holder may have been inside as well
     * @throws LockTimeoutException if another holder had the lock until the wait limit was over; the body did not run
     * @throws QuorumUnreachableException if too few nodes answered until the limit was over; the body did not run
     * @throws InterruptedException if the thread is interrupted while it waits; the body did not run
     * @throws IllegalStateException if the {@code Holdfast} is closed; the body did not run
     * @throws E if the body throws it; the lock is released
     */
    public <E extends Exception> void run(LeaseAction<E> body) throws E, InterruptedException {
        try (Lease lease = acquire()) {
            body.accept(lease);
            lease.extensions().end(lease);
        }
    }

    /** A body of {@link DistributedLock#call}. */
    @FunctionalInterface
    public interface LeaseFunction<T extends @Nullable Object, E extends Exception> {

        /** Runs while the lock is held. Returning without a {@linkplain Lease#release release} is normal; a release is harmless. */
        T apply(Lease lease) throws E;
    }

    /** A body of {@link DistributedLock#run}. */
    @FunctionalInterface
    public interface LeaseAction<E extends Exception> {

        /** Runs while the lock is held. Returning without a {@linkplain Lease#release release} is normal; a release is harmless. */
        void accept(Lease lease) throws E;
    }

    private LockOptions waitingFor(Duration waitLimit) {
        return options.toBuilder().waitLimit(waitLimit).build();
    }

    Lease attach(DetachedLease detached) throws InterruptedException {
        return acquisitions.attach(detached, options);
    }

    @Override
    public String toString() {
        return "DistributedLock[" + resource() + (isShared() ? ", shared]" : "]");
    }
}
