package io.holdfast.event;

import io.holdfast.lease.ClientDescription;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Loss;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event that one client reports to its listeners, of a lock that it requested or holds. The client knows nothing of
 * locks of other clients. All events are immutable. Later versions may add kinds of events, so a {@code switch} over
 * them needs a {@code default}.
 */
public sealed interface LockEvent {

    /**
     * A lock was requested. Exactly one {@link Granted} or {@link Refused} follows. A call of {@code Holdfast.attach}
     * is reported only if it succeeds.
     *
     * @param resource the name of the lock
     * @param mode exclusive or shared
     */
    record Requested(String resource, LockMode mode) implements LockEvent {}

    /**
     * A lock was granted. Precedes all other events of its lease.
     *
     * @param resource the name of the lock
     * @param mode exclusive or shared
     * @param fencingToken the fencing token of the lease
     * @param remaining the time for which the lease is valid without a renewal
     * @param waited the time from the request to the grant
     * @param handedOver whether the lock came from another lease without a release on the nodes in between: from one of
     *     this process, or by {@code Holdfast.attach}
     */
    record Granted(
            String resource,
            LockMode mode,
            FencingToken fencingToken,
            Duration remaining,
            Duration waited,
            boolean handedOver)
            implements LockEvent {}

    /**
     * A request for a lock ended without a grant.
     *
     * @param resource the name of the lock
     * @param mode exclusive or shared
     * @param reason why the lock was not granted
     * @param waited the time from the request to its end
     * @param votes the replies of the nodes in the last round, in one line; empty if the request was abandoned,
     *     or if another lease of this client had the lock
     * @param holder what the holder says about itself, after a wait of a second or more, as far as a node names it
     */
    record Refused(
            String resource,
            LockMode mode,
            Reason reason,
            Duration waited,
            String votes,
            Optional<ClientDescription> holder)
            implements LockEvent {

        /** The reasons for which a lock is not granted. */
        public enum Reason {
            /** Another client held the lock until the wait limit was over. */
            HELD,
            /** Several clients asked at the same moment and split the votes, in each round until the limit was over. */
            TIED,
            /** Too few nodes gave a usable reply in time. */
            UNREACHABLE,
            /** The caller was interrupted or cancelled the request, or the client was closed. */
            ABANDONED
        }
    }

    /**
     * A renewal or an extension of a lease ended.
     *
     * @param resource the name of the lock
     * @param fencingToken the fencing token of the lease
     * @param confirmed whether a majority confirmed it; otherwise it is repeated while the lease is valid
     * @param remaining the time for which the lease is valid now
     */
    record Renewed(String resource, FencingToken fencingToken, boolean confirmed, Duration remaining)
            implements LockEvent {}

    /**
     * A lease ended. The last event of its lease.
     *
     * @param resource the name of the lock
     * @param fencingToken the fencing token of the lease
     * @param how the way in which the lease ended
     * @param loss the reason and the overrun of a loss; null unless the lease was lost or closed
     * @param heldFor the time since the grant, by the monotonic clock
     */
    record Ended(
            String resource,
            FencingToken fencingToken,
            How how,
            @Nullable Loss loss,
            Duration heldFor) implements LockEvent {

        /** The way in which a lease ends. */
        public enum How {
            /** The holder released the lease. */
            RELEASED,
            /** The lease was lost. */
            LOST,
            /** The lease was detached, so that another process can attach it. */
            DETACHED,
            /** The client was closed. */
            CLOSED
        }
    }

    /**
     * A run of a job ended, as {@code holdfast-jobs} records it beside its lock. Precedes the {@link Ended} of a lease
     * that is released, and follows that of a lease which was lost during the run. A loss of the lock that only the
     * release finds changes the record, and is not reported again.
     *
     * @param resource the name of the job and of its lock
     * @param fencingToken the fencing token of the lease
     * @param outcome {@code succeeded}, {@code failed}, {@code lost}, or {@code ended} if nothing else is known
     * @param took the time from the start of the run to its end, by the clock of the machine
     */
    record RunEnded(String resource, FencingToken fencingToken, String outcome, Duration took) implements LockEvent {}
}
