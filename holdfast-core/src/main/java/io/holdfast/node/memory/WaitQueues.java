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

/** The lines of an in-memory node: who waits for which lock, for whom a free one is kept, and where they are told. */
final class WaitQueues {

    /** How long a line stays where nobody enters it. */
    static final Duration LINE_LIFE = Duration.ofMinutes(10);

    private final Subscriptions inboxes;
    private final ExpiringMap<NavigableSet<QueueEntry>> lines = new ExpiringMap<>();
    /** By resource, the places of those who were called, with blanks between them. */
    private final ExpiringMap<String> reservations = new ExpiringMap<>();

    /** Nobody waits. */
    WaitQueues(Subscriptions inboxes) {
        this.inboxes = inboxes;
    }

    /** Forgets who waits; who listens still does. */
    void clear() {
        lines.clear();
        reservations.clear();
    }

    void expire(Moment now) {
        lines.expire(now);
        reservations.expire(now);
    }

    /**
     * Whether a lock that nobody bars is kept for whoever was called, or others are before the claim in line: for a share, others
     * who want the lock alone; for whoever is fair, any others.
     */
    boolean mustWait(Claim claim, LockTable holders, FencingToken fence, Moment now) {
        String resource = claim.resource();
        QueueEntry place = QueueEntry.of(claim);
        if (claim.isShared()) {
            boolean kept = isKeptFromShare(claim.resource(), place, now);
            if (kept && holders.isFree(resource) && reservations.get(resource) == null) {
                callNext(resource, fence, now);
            }
            return kept;
        }
        WaitTicket ticket = claim.ticket();
        if (place != null && ticket != null && ticket.fair() && reservations.get(resource) == null) {
            enter(resource, place, now);
            if (!place.name().equals(first(resource))) {
                callNext(resource, fence, now);
            }
        }
        String kept = reservations.get(resource);
        return kept != null && (place == null || !kept.equals(place.name()));
    }

    private boolean isKeptFromShare(String resource, @Nullable QueueEntry place, Moment now) {
        String called = reservations.get(resource);
        if (called != null && !QueueEntry.isShare(called)) {
            return true;
        } else if (called != null && place != null && names(called).contains(place.name())) {
            return false;
        }
        if (place != null) {
            enter(resource, place, now);
        }
        return isBehindOneAlone(resource, place);
    }

    /** Those who cannot hear any more are dropped: they would bar the way for as long as others share the lock. */
    private boolean isBehindOneAlone(String resource, @Nullable QueueEntry place) {
        NavigableSet<QueueEntry> line = lines.get(resource);
        for (QueueEntry other : line == null ? List.<QueueEntry>of() : List.copyOf(line)) {
            if (other.equals(place)) {
                return false;
            } else if (!QueueEntry.isShare(other.name())) {
                if (inboxes.isHeard(other.name())) {
                    return true;
                }
                leave(resource, other.name());
            }
        }
        return false;
    }

    /** For how long a free lock is kept. */
    Duration kept(String resource, Moment now) {
        return reservations.left(resource, now);
    }

    /** Whoever is refused and has a ticket is in line with it, whatever ticket its client had before. */
    void refused(Claim claim, Moment now) {
        QueueEntry place = QueueEntry.of(claim);
        if (place != null) {
            enter(claim.resource(), place, now);
        }
    }

    void granted(Claim claim, Moment now) {
        QueueEntry place = QueueEntry.of(claim);
        if (place != null) {
            leave(claim.resource(), place.name());
            if (claim.isShared()) {
                uncall(claim.resource(), place.name(), now);
            } else {
                reservations.remove(claim.resource());
            }
        }
    }

    /** Whoever held the lock alone shares it from now on: if those who come first in line want a share, they are called. */
    void opened(String resource, FencingToken fence, Moment now) {
        String first = first(resource);
        if (first != null && QueueEntry.isShare(first)) {
            callNext(resource, fence, now);
        }
    }

    /**
     * A claim gives up what its attempt has. Calls the next if the lock has become free, or is not kept for its client any more, or if
     * those who share it need not wait for its client any more.
     *
     * @param ours whether the claim's owner held the lock, or a share of it
     * @param becameFree whether nobody holds it any more, on account of that
     * @param holders who holds it now
     * @param fence the greatest that the node has accepted for it
     */
    void giveUp(Claim claim, boolean ours, boolean becameFree, LockTable holders, FencingToken fence, Moment now) {
        String resource = claim.resource();
        QueueEntry place = QueueEntry.of(claim);
        boolean unkept = false;
        boolean leaves = place != null && claim.action() == Claim.Action.RELEASE;
        if (place != null && leaves) {
            leave(resource, place.name());
            unkept = uncall(resource, place.name(), now);
        } else if (place != null && ours) {
            enter(resource, place, now);
        }
        if (becameFree || (unkept && holders.isFree(resource))) {
            callNext(resource, fence, now);
        } else if (leaves && holders.isShared(resource)) {
            opened(resource, fence, now);
        }
    }

    List<String> inLine(String resource, Moment now) {
        expire(now);
        NavigableSet<QueueEntry> line = lines.get(resource);
        return line == null ? List.of() : line.stream().map(QueueEntry::name).toList();
    }

    @Nullable
    String called(String resource, Moment now) {
        expire(now);
        return reservations.get(resource);
    }

    private static List<String> names(String called) {
        return List.of(called.split(" "));
    }

    private void enter(String resource, QueueEntry place, Moment now) {
        leave(resource, place.name());
        NavigableSet<QueueEntry> before = lines.get(resource);
        NavigableSet<QueueEntry> line = before == null ? new TreeSet<>() : before;
        line.add(place);
        lines.put(resource, line, now, LINE_LIFE);
    }

    private void leave(String resource, String name) {
        NavigableSet<QueueEntry> line = lines.get(resource);
        if (line != null && line.removeIf(place -> place.name().equals(name)) && line.isEmpty()) {
            lines.remove(resource);
        }
    }

    private @Nullable String first(String resource) {
        NavigableSet<QueueEntry> line = lines.get(resource);
        return line == null ? null : line.first().name();
    }

    /** The lock is not kept for this one any more; returns whether it is kept for nobody on account of that. */
    private boolean uncall(String resource, String name, Moment now) {
        String called = reservations.get(resource);
        if (called == null || !names(called).contains(name)) {
            return false;
        }
        List<String> others =
                names(called).stream().filter(other -> !other.equals(name)).toList();
        if (others.isEmpty()) {
            reservations.remove(resource);
        } else {
            reservations.put(resource, String.join(" ", others), now, reservations.left(resource, now));
        }
        return others.isEmpty();
    }

    /**
     * Calls the first in line who hears it, and keeps the lock for that one; those who cannot hear are dropped. One who wants a share
     * is called together with all who stand behind it and want the same.
     */
    private void callNext(String resource, FencingToken fence, Moment now) {
        List<String> called = new ArrayList<>();
        for (String first = first(resource);
                first != null && (called.isEmpty() || (QueueEntry.isShare(called.get(0)) && QueueEntry.isShare(first)));
                first = first(resource)) {
            leave(resource, first);
            if (inboxes.tell(QueueEntry.inbox(first), WakeUp.reserved(resource, fence))) {
                called.add(first);
            }
        }
        if (!called.isEmpty()) {
            reservations.put(resource, String.join(" ", called), now, WakeUp.RESERVATION);
            String next = first(resource);
            if (next != null) {
                inboxes.tell(QueueEntry.inbox(next), WakeUp.nextInQueue(resource, fence));
            }
        }
    }
}
