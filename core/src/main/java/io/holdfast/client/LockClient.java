package io.holdfast.client;

import io.holdfast.acquire.AcquireResult;
import io.holdfast.acquire.Grant;
import io.holdfast.acquire.LocalWaiters;
import io.holdfast.event.LockEvent;
import io.holdfast.hold.Hold;
import io.holdfast.hold.HoldRegistry;
import io.holdfast.node.Claim;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The acquisitions and holds of one client. All ways to a lock lead through {@link #start} and {@link #attach}.
 *
 * <p>Thread-safe.
 */
public final class LockClient {

    /** The longest time that closing waits for the replies of slow nodes, and then for the end of their connections. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final NodeGroup nodes;
    private final Duration maxLease;
    private final Executor callbacks;
    private final LockEvents events;
    private final LocalWaiters waiters;
    private final HoldRegistry holds;
    private final PendingAcquisitions pending;
    private final ClientPresence presence;
    private final Runnable describe;

    /**
     * Creates a client that holds nothing.
     *
     * @param maxLease the longest lease that the quarantine of restarted nodes allows for
     * @param presence describes this client on the nodes
     */
    public LockClient(
            NodeGroup nodes, Duration maxLease, Executor callbacks, LockEvents events, ClientPresence presence) {
        this.nodes = nodes;
        this.maxLease = maxLease;
        this.callbacks = callbacks;
        this.events = events;
        this.waiters = new LocalWaiters(nodes);
        this.holds = new HoldRegistry(nodes, waiters, events);
        this.presence = presence;
        this.pending = new PendingAcquisitions(
                presence::holder,
                resource -> new AcquireResult.Refused<>(waiters.known(resource), Duration.ZERO, Optional.empty()),
                events.log(),
                nodes.time());
        this.describe = presence.during(() -> !holds.isEmpty() || !pending.isEmpty());
    }

    /** Returns the moment at which a request begins; null if there is no listener. */
    public @Nullable Moment begun() {
        return events.begun();
    }

    /** Reports an event of what is built on a lock. */
    public void report(LockEvent event) {
        events.listeners().report(event);
    }

    /** Returns the nodes. */
    public NodeGroup nodes() {
        return nodes;
    }

    /** Returns the clocks and threads of this client. */
    public Time time() {
        return nodes.time();
    }

    /** Returns the longest lease that the quarantine of restarted nodes allows for. */
    public Duration maxLease() {
        return maxLease;
    }

    /** Throws if a lease is longer than the quarantine of restarted nodes allows for. */
    public void requireLease(Duration lease) {
        if (lease.compareTo(maxLease) > 0) {
            throw new IllegalArgumentException("lease " + lease + " is longer than maxLease " + maxLease
                    + " of the nodes, the time for which a restarted node does not vote; shorten the lease, which"
                    + " renewal makes as long as you like, or raise maxLease for all clients of these nodes");
        }
    }

    /**
     * Begins an acquisition. No other method does, so no lease is longer than the quarantine allows for.
     *
     * @param thread accepts a lock that another lease of this client hands over; see {@link LocalWaiters#acquire}
     */
    public CompletableFuture<AcquireResult<Hold>> start(LockRequest request, Executor thread) {
        requireLease(request.lease());
        return begin(request, wanted -> {
            events.requested(request);
            return hold(
                    waiters.acquire(request.resource(), request.parameters(), request.limit(), thread),
                    wanted,
                    request);
        });
    }

    /** Returns {@code true} if {@link #close} has begun. */
    public boolean isClosed() {
        return pending.isClosed();
    }

    /** Fails the future of a request that pauses between acquisitions, if this client is closed meanwhile. */
    public void failAtClose(CompletableFuture<?> request) {
        add(request, "");
    }

    /**
     * Begins an acquisition with the future that its caller receives. A close awaits the acquisition until its lock is
     * held or released, even if the caller has cancelled the future before.
     */
    private <T> CompletableFuture<T> begin(
            LockRequest request, Function<CompletableFuture<T>, CompletableFuture<?>> beginning) {
        StackRoom.require();
        CompletableFuture<T> wanted = new CompletableFuture<>();
        try {
            nodes.track(() -> add(wanted, request.resource()) ? beginning.apply(wanted) : wanted);
        } catch (RuntimeException | Error notBegun) {
            wanted.completeExceptionally(notBegun);
            throw notBegun;
        }
        return wanted;
    }

    private boolean add(CompletableFuture<?> wanted, String resource) {
        boolean isOpen = pending.add(wanted, resource);
        describe.run();
        return isOpen;
    }

    /**
     * Makes a hold of a grant as soon as it arrives. While the caller's thread has not received it, the lock has an
     * owner that renews it, and that {@link #close} releases. The result completes when the lock is held or released.
     */
    private CompletableFuture<?> hold(
            CompletableFuture<AcquireResult<Grant>> acquisition,
            CompletableFuture<AcquireResult<Hold>> wanted,
            LockRequest request) {
        CompletableFuture<?> held = acquisition.whenComplete((result, failure) -> {
            if (failure != null) {
                events.abandoned(request);
                wanted.completeExceptionally(failure);
                return;
            }
            AcquireResult<Hold> made;
            try {
                made = result.map(grant -> begin(grant, request));
            } catch (Throwable noMemory) {
                wanted.completeExceptionally(noMemory);
                result.lock().ifPresent(grant -> waiters.release(grant, Duration.ZERO));
                return;
            }
            if (made instanceof AcquireResult.Refused<Hold> refused) {
                presence.explained(request.resource(), refused).thenAccept(explained -> {
                    events.refused(request, explained);
                    wanted.complete(explained);
                });
            } else if (!wanted.complete(made)) {
                giveBack(made);
            }
        });
        CompletableFuture<?> cancelled = wanted.whenComplete((result, failure) -> acquisition.cancel(true));
        return CompletableFuture.allOf(held, cancelled);
    }

    /** Makes a hold of a grant. The event of the grant precedes those of the hold. */
    private Hold begin(Grant grant, LockRequest request) {
        events.granted(grant, request.begun());
        Hold hold = holds.begin(grant, request.holdLimit(), request.renewal());
        describe.run();
        return hold;
    }

    /**
     * Ends an acquisition that its caller does not wait for any more. A lock that was granted in the meantime is
     * released.
     */
    public static void abandon(CompletableFuture<AcquireResult<Hold>> acquisition) {
        if (!acquisition.cancel(true)) {
            acquisition.thenAccept(LockClient::giveBack);
        }
    }

    private static void giveBack(AcquireResult<Hold> unwanted) {
        unwanted.lock().ifPresent(hold -> hold.release(Duration.ZERO));
    }

    /**
     * Takes over a lock that was granted to another client. The caller makes a {@linkplain #attached hold} of the
     * grant.
     */
    public CompletableFuture<AcquireResult<Grant>> attach(Claim granted, LockRequest request) {
        return begin(
                request,
                wanted -> waiters.resume(granted, request.parameters())
                        .whenComplete((result, failure) -> CallerFuture.complete(wanted, result, failure)));
    }

    /** Makes a hold of a lock that was attached. A request to attach a lock is reported only if it was granted. */
    public Hold attached(Grant grant, LockRequest request) {
        events.requested(request);
        // This process may end before its holds would do that.
        nodes.keepListed(request.resource());
        return begin(grant, request);
    }

    /**
     * Asks the nodes whether they still hold the lock for the leases of this client, which are lost otherwise. Does not
     * block.
     */
    public void verify(String resource) {
        holds.verify(resource);
    }

    /**
     * Returns a future that completes as this one does, also with a failure, on the executor of the user. One that has
     * failed already fails at once: its callbacks run where the user adds them. A failure is not wrapped in a {@link
     * CompletionException}.
     */
    public <T> CompletableFuture<T> delivered(CompletableFuture<T> result) {
        return delivered(result, this::execute);
    }

    /** Returns a future as {@link #delivered(CompletableFuture)}, on another executor. */
    public <T> CompletableFuture<T> delivered(CompletableFuture<T> result, Executor delivery) {
        CompletableFuture<T> delivered = new CompletableFuture<>();
        BiConsumer<T, Throwable> deliver = (value, failure) -> CallerFuture.complete(delivered, value, failure);
        if (result.isCompletedExceptionally()) {
            result.whenComplete(deliver);
        } else {
            result.whenCompleteAsync(deliver, delivery);
        }
        return delivered;
    }

    /** Runs a callback on the executor of the user, else on a thread of its own. */
    public void execute(Runnable task) {
        callbacks.execute(task);
    }

    /**
     * Ends all acquisitions, releases all holds, waits for the replies of the nodes, closes them, and waits until they
     * are freed. Has no effect the second time.
     *
     * @param afterwards runs last, also if a wait ends by an error
     */
    public void close(Runnable afterwards) {
        if (!pending.close()) {
            return;
        }
        try {
            holds.close();
            waiters.close();
            await(nodes.settled());
        } finally {
            closeNodes(afterwards);
        }
    }

    private void closeNodes(Runnable afterwards) {
        try {
            await(nodes.close());
        } finally {
            afterwards.run();
        }
    }

    /** Waits for slow nodes; what is left ends by itself. A second interrupt ends the wait; it stays set. */
    private void await(CompletableFuture<?> end) {
        boolean interrupted = Thread.interrupted();
        try {
            time().await(end, CLOSE_LIMIT);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
