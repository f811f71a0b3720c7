package io.holdfast.node.memory;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.WakeUp;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The wait queues of an in-memory node, and the reservations of free locks for notified waiters. Not thread-safe. */
final class WaitQueues {

    private final Subscriptions inboxes;
    private final ExpiringMap<NavigableSet<QueueEntry>> queues = new ExpiringMap<>();
    private final Reservations reservations = new Reservations();
    private final StandingClaims standing = new StandingClaims();

    /** Carries out standing claims after a release. */
    @FunctionalInterface
    interface Carrier {

        /** A carrier that leaves all claims to their clients, which are notified. */
        Carrier NONE = entry -> null;

        /**
         * Carries out the standing claim of the entry and returns it; returns null if there is none, or if the node
         * does not grant it.
         */
        @Nullable
        Claim carryOut(String entry);
    }

    /** Creates empty wait queues. */
    WaitQueues(Subscriptions inboxes) {
        this.inboxes = inboxes;
    }

    /** Removes all entries and reservations, but no subscriptions. */
    void clear() {
        queues.clear();
        reservations.clear();
        standing.clear();
    }

    StandingClaims standing() {
        return standing;
    }

    void expire(Moment now) {
        queues.expire(now);
        reservations.expire(now);
    }

    /**
     * Returns {@code true} if the claim must wait although no holder blocks it: the lock is reserved for another
     * client, or an exclusive waiter is queued ahead of a shared claim, or any waiter is queued ahead of a fair claim.
     */
    boolean mustWait(Claim claim, LockTable locks, FencingToken fence, Moment now) {
        String resource = claim.resource();
        QueueEntry entry = QueueEntry.of(claim);
        if (claim.isShared()) {
            boolean waits = mustShareWait(claim.resource(), entry, now);
            if (waits && locks.isFree(resource) && reservations.of(resource) == null) {
                notifyNext(resource, fence, now, Carrier.NONE);
            }
            return waits;
        }
        WaitTicket ticket = claim.ticket();
        if (entry != null && ticket != null && ticket.fair() && reservations.of(resource) == null) {
            add(resource, entry, now);
            if (!entry.name().equals(head(resource))) {
                notifyNext(resource, fence, now, Carrier.NONE);
            }
        }
        return isReservedForAnother(claim);
    }

    /** Returns {@code true} if the lock is reserved, and not for the waiter of this exclusive claim. */
    boolean isReservedForAnother(Claim claim) {
        String reserved = reservations.of(claim.resource());
        QueueEntry entry = QueueEntry.of(claim);
        return reserved != null && (entry == null || !reserved.equals(entry.name()));
    }

    /** Returns {@code true} if the wait queue has an entry of the claim's ticket. */
    boolean isQueued(Claim claim, Moment now) {
        QueueEntry entry = QueueEntry.of(claim);
        return entry != null
                && entries(claim.resource(), now).stream()
                        .anyMatch(other -> other.name().equals(entry.name()));
    }

    private boolean mustShareWait(String resource, @Nullable QueueEntry entry, Moment now) {
        String reserved = reservations.of(resource);
        if (reserved != null && !QueueEntry.isShared(reserved)) {
            return true;
        } else if (entry != null && reservations.isReservedFor(resource, entry.name())) {
            return false;
        }
        if (entry != null) {
            add(resource, entry, now);
        }
        return isBehindExclusive(resource, entry);
    }

    /**
     * Removes exclusive waiters without a connection: they would block shared claims for as long as the lock is shared.
     */
    private boolean isBehindExclusive(String resource, @Nullable QueueEntry entry) {
        NavigableSet<QueueEntry> queue = queues.get(resource);
        for (QueueEntry other : queue == null ? List.<QueueEntry>of() : List.copyOf(queue)) {
            if (other.equals(entry)) {
                return false;
            } else if (!QueueEntry.isShared(other.name())) {
                if (inboxes.hasSubscriber(other.name())) {
                    return true;
                }
                remove(resource, other.name());
            }
        }
        return false;
    }

    /** Returns how long a free lock stays reserved; zero: it is not. */
    Duration reservationLeft(String resource, Moment now) {
        return reservations.left(resource, now);
    }

    /**
     * Queues a refused claim that has a ticket. The new ticket replaces an earlier one of its client.
     *
     * @param stands whether the node stores the claim, to carry it out later
     */
    void refused(Claim claim, ClaimProcessor.Sender sender, boolean stands, Moment now) {
        QueueEntry entry = QueueEntry.of(claim);
        if (entry != null) {
            add(claim.resource(), entry, now);
        }
        if (entry != null && stands) {
            standing.store(entry.name(), claim, sender, now);
        }
    }

    void granted(Claim claim, Moment now) {
        QueueEntry entry = QueueEntry.of(claim);
        if (entry != null) {
            remove(claim.resource(), entry.name());
            if (claim.isShared()) {
                reservations.cancel(claim.resource(), entry.name(), now);
            } else {
                reservations.remove(claim.resource());
            }
        }
    }

    /** Notifies shared waiters at the head of the queue, since the lock is no longer exclusive. */
    void downgraded(String resource, FencingToken fence, Moment now) {
        String head = head(resource);
        if (head != null && QueueEntry.isShared(head)) {
            notifyNext(resource, fence, now, Carrier.NONE);
        }
    }

    /**
     * Removes the claim's entry or queues it again, as the release says. Carries out the next standing claim or
     * notifies the next waiter if the lock became free. Notifies the next waiter if the claim's reservation ended, or
     * if this entry no longer blocks queued shared waiters. Announces to it the end of a retained lock.
     *
     * @param ours whether the claim's owner held the lock
     * @param becameFree whether this release has freed the lock
     * @param locks the holders after the release
     * @param fence the greatest fence that the node has accepted for the resource
     * @param carrier carries out standing claims if this release has freed the lock
     */
    void released(
            Claim claim,
            boolean ours,
            boolean becameFree,
            LockTable locks,
            FencingToken fence,
            Moment now,
            Carrier carrier) {
        String resource = claim.resource();
        standing.withdraw(claim);
        if (claim.action() == Claim.Action.RETAIN) {
            if (ours) {
                retained(resource, locks, fence, now);
            }
            return;
        }
        QueueEntry entry = QueueEntry.of(claim);
        boolean reservationEnded = false;
        boolean leaves = entry != null && !claim.requeued();
        if (entry != null && leaves) {
            remove(resource, entry.name());
            reservationEnded = reservations.cancel(resource, entry.name(), now);
        } else if (entry != null && ours) {
            add(resource, entry, now);
        }
        if (becameFree || (reservationEnded && locks.isFree(resource))) {
            notifyNext(resource, fence, now, carrier);
        } else if (leaves && locks.isShared(resource)) {
            downgraded(resource, fence, now);
        }
    }

    /** Announces the end of a retained lock to the next waiter, or to all shared waiters at the head of the queue. */
    private void retained(String resource, LockTable locks, FencingToken fence, Moment now) {
        if (locks.isShared(resource)) {
            downgraded(resource, fence, now);
        }
        WakeUp wake = WakeUp.retained(resource, fence, locks.left(resource, now));
        NavigableSet<QueueEntry> queue = queues.get(resource);
        boolean announced = false;
        for (QueueEntry entry : queue == null ? List.<QueueEntry>of() : List.copyOf(queue)) {
            boolean shared = QueueEntry.isShared(entry.name());
            if (announced && !shared) {
                return;
            } else if (!inboxes.publish(QueueEntry.inbox(entry.name()), wake)) {
                remove(resource, entry.name());
            } else if (!shared) {
                return;
            } else {
                announced = true;
            }
        }
    }

    List<QueueEntry> entries(String resource, Moment now) {
        expire(now);
        NavigableSet<QueueEntry> queue = queues.get(resource);
        return queue == null ? List.of() : List.copyOf(queue);
    }

    @Nullable
    String reservedFor(String resource, Moment now) {
        expire(now);
        return reservations.of(resource);
    }

    private void add(String resource, QueueEntry entry, Moment now) {
        remove(resource, entry.name());
        NavigableSet<QueueEntry> before = queues.get(resource);
        NavigableSet<QueueEntry> queue = before == null ? new TreeSet<>() : before;
        queue.add(entry);
        queues.put(resource, queue, now, WaitTicket.QUEUE_LIFE);
    }

    private void remove(String resource, String name) {
        standing.drop(resource, name);
        NavigableSet<QueueEntry> queue = queues.get(resource);
        if (queue != null && queue.removeIf(entry -> entry.name().equals(name)) && queue.isEmpty()) {
            queues.remove(resource);
        }
    }

    private @Nullable String head(String resource) {
        NavigableSet<QueueEntry> queue = queues.get(resource);
        return queue == null ? null : queue.first().name();
    }

    /**
     * Carries out the standing claim of the first waiter that has a subscriber, or notifies that waiter and reserves
     * the lock for it. Removes waiters without a subscriber. Consecutive shared waiters at the head of the queue are
     * served together.
     */
    private void notifyNext(String resource, FencingToken fence, Moment now, Carrier carrier) {
        List<String> notified = new ArrayList<>();
        FencingToken present = fence;
        String served = null;
        for (String head = head(resource);
                head != null && (served == null || (QueueEntry.isShared(served) && QueueEntry.isShared(head)));
                head = head(resource)) {
            String inbox = QueueEntry.inbox(head);
            Claim granted = inboxes.hasSubscriber(inbox) ? carrier.carryOut(head) : null;
            remove(resource, head);
            if (granted != null) {
                inboxes.publish(inbox, WakeUp.granted(granted));
                present = present.max(granted.greatestFence());
                served = head;
            } else if (inboxes.publish(inbox, WakeUp.reserved(resource, present))) {
                notified.add(head);
                served = head;
            }
        }
        if (!notified.isEmpty()) {
            reservations.reserve(resource, notified, now);
        }
        String next = served == null ? null : head(resource);
        if (next != null) {
            inboxes.publish(QueueEntry.inbox(next), WakeUp.nextInQueue(resource, present));
        }
    }
}
