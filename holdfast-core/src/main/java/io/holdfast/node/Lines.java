package io.holdfast.node;

import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The lines of an in-memory node: who waits for which lock, for whom a free one is kept, and where they are told. */
final class Lines {

    /** How long a line stays where nobody enters it. */
    static final Duration LINE_LIFE = Duration.ofMinutes(10);

    private final Consumer<Runnable> post;
    private final TimedKeys<NavigableSet<Ticket>> lines = new TimedKeys<>();
    /** By resource, the inbox of whoever was called. */
    private final TimedKeys<String> reservations = new TimedKeys<>();

    private final Map<String, Consumer<Wake>> inboxes = new HashMap<>();

    /**
     * Nobody waits.
     *
     * @param post carries a message to whoever listens, later
     */
    Lines(Consumer<Runnable> post) {
        this.post = post;
    }

    void listen(String inbox, Consumer<Wake> consumer) {
        inboxes.put(inbox, consumer);
    }

    void unlisten(String inbox) {
        inboxes.remove(inbox);
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

    /** Whether a lock that is free is kept for whoever was called, or, for whoever is fair, others are before it in line. */
    boolean isKeptForAnother(Claim claim, FencingToken fence, Moment now) {
        String resource = claim.resource();
        Ticket ticket = claim.ticket();
        if (ticket != null && ticket.fair() && reservations.get(resource) == null) {
            enter(resource, ticket, now);
            if (!ticket.inbox().equals(first(resource))) {
                callNext(resource, fence, now);
            }
        }
        String kept = reservations.get(resource);
        return kept != null && (ticket == null || !kept.equals(ticket.inbox()));
    }

    /** For how long a free lock is kept. */
    Duration kept(String resource, Moment now) {
        return reservations.left(resource, now);
    }

    /** Whoever is refused and has a ticket is in line with it, whatever ticket its client had before. */
    void refused(Claim claim, Moment now) {
        Ticket ticket = claim.ticket();
        if (ticket != null) {
            enter(claim.resource(), ticket, now);
        }
    }

    void granted(Claim claim) {
        Ticket ticket = claim.ticket();
        if (ticket != null) {
            leave(claim.resource(), ticket.inbox());
            reservations.remove(claim.resource());
        }
    }

    /**
     * A claim gives up what its attempt has. Calls the next if the lock has become free, or is not kept for its client any more.
     *
     * @param becameFree whether the claim's owner held the lock
     * @param isHeld whether another one holds it
     * @param fence the greatest that the node has accepted for it
     */
    void giveUp(Claim claim, boolean becameFree, boolean isHeld, FencingToken fence, Moment now) {
        String resource = claim.resource();
        Ticket ticket = claim.ticket();
        boolean unkept = false;
        if (ticket != null && claim.action() == Claim.Action.RELEASE) {
            leave(resource, ticket.inbox());
            unkept = ticket.inbox().equals(reservations.get(resource));
        } else if (ticket != null && becameFree) {
            enter(resource, ticket, now);
        }
        if (unkept) {
            reservations.remove(resource);
        }
        if (becameFree || (unkept && !isHeld)) {
            callNext(resource, fence, now);
        }
    }

    List<String> inLine(String resource, Moment now) {
        expire(now);
        NavigableSet<Ticket> line = lines.get(resource);
        return line == null ? List.of() : line.stream().map(Ticket::inbox).toList();
    }

    @Nullable
    String called(String resource, Moment now) {
        expire(now);
        return reservations.get(resource);
    }

    private void enter(String resource, Ticket ticket, Moment now) {
        leave(resource, ticket.inbox());
        NavigableSet<Ticket> before = lines.get(resource);
        NavigableSet<Ticket> line = before == null ? new TreeSet<>() : before;
        line.add(ticket);
        lines.put(resource, line, now, LINE_LIFE);
    }

    private void leave(String resource, String inbox) {
        NavigableSet<Ticket> line = lines.get(resource);
        if (line != null && line.removeIf(ticket -> ticket.inbox().equals(inbox)) && line.isEmpty()) {
            lines.remove(resource);
        }
    }

    private @Nullable String first(String resource) {
        NavigableSet<Ticket> line = lines.get(resource);
        return line == null ? null : line.first().inbox();
    }

    /** Calls the first in line who hears it, and keeps the lock for that one; those who cannot hear are dropped. */
    private void callNext(String resource, FencingToken fence, Moment now) {
        for (String first = first(resource); first != null; first = first(resource)) {
            leave(resource, first);
            if (tell(first, Wake.called(resource, fence))) {
                reservations.put(resource, first, now, Wake.RESERVATION);
                String next = first(resource);
                if (next != null) {
                    tell(next, Wake.next(resource, fence));
                }
                return;
            }
        }
    }

    private boolean tell(String inbox, Wake wake) {
        Consumer<Wake> listener = inboxes.get(inbox);
        if (listener == null) {
            return false;
        }
        post.accept(() -> listener.accept(wake));
        return true;
    }
}
