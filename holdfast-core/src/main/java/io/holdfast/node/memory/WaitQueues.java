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

    /** The life of a wait queue after its last entry was added. */
    static final Duration QUEUE_LIFE = Duration.ofMinutes(10);

    private final Subscriptions inboxes;
    private final ExpiringMap<NavigableSet<QueueEntry>> queues = new ExpiringMap<>();
    /** By resource, the names of the notified entries, separated by spaces. */
    private final ExpiringMap<String> reservations = new ExpiringMap<>();

    /** Creates empty wait queues. */
    WaitQueues(Subscriptions inboxes) {
        this.inboxes = inboxes;
    }

    /** Removes all entries and reservations, but no subscriptions. */
    void clear() {
        queues.clear();
        reservations.clear();
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
            if (waits && locks.isFree(resource) && reservations.get(resource) == null) {
                notifyNext(resource, fence, now);
            }
            return waits;
        }
        WaitTicket ticket = claim.ticket();
        if (entry != null && ticket != null && ticket.fair() && reservations.get(resource) == null) {
            add(resource, entry, now);
            if (!entry.name().equals(head(resource))) {
                notifyNext(resource, fence, now);
            }
        }
        String reserved = reservations.get(resource);
        return reserved != null && (entry == null || !reserved.equals(entry.name()));
    }

    private boolean mustShareWait(String resource, @Nullable QueueEntry entry, Moment now) {
        String reserved = reservations.get(resource);
        if (reserved != null && !QueueEntry.isShared(reserved)) {
            return true;
        } else if (reserved != null && entry != null && names(reserved).contains(entry.name())) {
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

    /** Queues a refused claim that has a ticket. The new ticket replaces an earlier one of its client. */
    void refused(Claim claim, Moment now) {
        QueueEntry entry = QueueEntry.of(claim);
        if (entry != null) {
            add(claim.resource(), entry, now);
        }
    }

    void granted(Claim claim, Moment now) {
        QueueEntry entry = QueueEntry.of(claim);
        if (entry != null) {
            remove(claim.resource(), entry.name());
            if (claim.isShared()) {
                cancelReservation(claim.resource(), entry.name(), now);
            } else {
                reservations.remove(claim.resource());
            }
        }
    }

    /** Notifies shared waiters at the head of the queue, since the lock is no longer exclusive. */
    void downgraded(String resource, FencingToken fence, Moment now) {
        String head = head(resource);
        if (head != null && QueueEntry.isShared(head)) {
            notifyNext(resource, fence, now);
        }
    }

    /**
     * Removes the claim's entry or queues it again, as the release says. Notifies the next waiter if the lock became
     * free, if the claim's reservation ended, or if this entry no longer blocks queued shared waiters.
     *
     * @param ours whether the claim's owner held the lock
     * @param becameFree whether this release has freed the lock
     * @param locks the holders after the release
     * @param fence the greatest fence that the node has accepted for the resource
     */
    void released(Claim claim, boolean ours, boolean becameFree, LockTable locks, FencingToken fence, Moment now) {
        String resource = claim.resource();
        QueueEntry entry = QueueEntry.of(claim);
        boolean reservationEnded = false;
        boolean leaves = entry != null && claim.action() == Claim.Action.RELEASE;
        if (entry != null && leaves) {
            remove(resource, entry.name());
            reservationEnded = cancelReservation(resource, entry.name(), now);
        } else if (entry != null && ours) {
            add(resource, entry, now);
        }
        if (becameFree || (reservationEnded && locks.isFree(resource))) {
            notifyNext(resource, fence, now);
        } else if (leaves && locks.isShared(resource)) {
            downgraded(resource, fence, now);
        }
    }

    List<String> entries(String resource, Moment now) {
        expire(now);
        NavigableSet<QueueEntry> queue = queues.get(resource);
        return queue == null ? List.of() : queue.stream().map(QueueEntry::name).toList();
    }

    @Nullable
    String reservedFor(String resource, Moment now) {
        expire(now);
        return reservations.get(resource);
    }

    private static List<String> names(String reserved) {
        return List.of(reserved.split(" "));
    }

    private void add(String resource, QueueEntry entry, Moment now) {
        remove(resource, entry.name());
        NavigableSet<QueueEntry> before = queues.get(resource);
        NavigableSet<QueueEntry> queue = before == null ? new TreeSet<>() : before;
        queue.add(entry);
        queues.put(resource, queue, now, QUEUE_LIFE);
    }

    private void remove(String resource, String name) {
        NavigableSet<QueueEntry> queue = queues.get(resource);
        if (queue != null && queue.removeIf(entry -> entry.name().equals(name)) && queue.isEmpty()) {
            queues.remove(resource);
        }
    }

    private @Nullable String head(String resource) {
        NavigableSet<QueueEntry> queue = queues.get(resource);
        return queue == null ? null : queue.first().name();
    }

    /** Ends the reservation of one entry; returns {@code true} if it was the last one of the lock. */
    private boolean cancelReservation(String resource, String name, Moment now) {
        String reserved = reservations.get(resource);
        if (reserved == null || !names(reserved).contains(name)) {
            return false;
        }
        List<String> others =
                names(reserved).stream().filter(other -> !other.equals(name)).toList();
        if (others.isEmpty()) {
            reservations.remove(resource);
        } else {
            reservations.put(resource, String.join(" ", others), now, reservations.left(resource, now));
        }
        return others.isEmpty();
    }

    /**
     * Notifies the first waiter that has a subscriber, and reserves the lock for it; removes waiters without a
     * subscriber. Consecutive shared waiters at the head of the queue are notified together.
     */
    private void notifyNext(String resource, FencingToken fence, Moment now) {
        List<String> notified = new ArrayList<>();
        for (String head = head(resource);
                head != null
                        && (notified.isEmpty() || (QueueEntry.isShared(notified.get(0)) && QueueEntry.isShared(head)));
                head = head(resource)) {
            remove(resource, head);
            if (inboxes.publish(QueueEntry.inbox(head), WakeUp.reserved(resource, fence))) {
                notified.add(head);
            }
        }
        if (!notified.isEmpty()) {
            reservations.put(resource, String.join(" ", notified), now, WakeUp.RESERVATION);
            String next = head(resource);
            if (next != null) {
                inboxes.publish(QueueEntry.inbox(next), WakeUp.nextInQueue(resource, fence));
            }
        }
    }
}
