package io.holdfast.node;

import io.holdfast.lease.FencingToken;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The state of one lock on one node, for display.
 *
 * @param holder a mark of the holder, which cannot be used to release the lock; one common mark if the lock is shared;
 *     empty if the lock is free
 * @param shares the number of shared holders; 0 if the lock is free or exclusive
 * @param timeLeft how long the node keeps the lock unless it is extended; zero if the lock is free
 * @param fence the greatest fence that the node has accepted for the resource
 * @param clients the ids of the clients that hold the lock, as far as the owners contain them
 * @param queue the wait queue, the next one first
 * @param note the note with which the holder has {@linkplain NodeAdmin#annotate described} itself; of a free lock, the
 *     note about its {@linkplain NodeAdmin#evict removal}; {@link Note#NONE} if there is none
 * @param retained whether the holder has released the lock, and the node keeps it for the time that is left
 */
public record NodeLockStatus(
        String holder,
        int shares,
        Duration timeLeft,
        FencingToken fence,
        List<String> clients,
        List<Waiter> queue,
        Note note,
        boolean retained) {

    /**
     * A client in the wait queue.
     *
     * @param client its id
     * @param since when its wait began, by the clock of the node; empty if that clock is not known to the client yet
     */
    public record Waiter(String client, Optional<Instant> since) {

        /** Returns the waiter with this entry and this number; see {@link WaitTicket}. */
        public static Waiter of(String entry, long number) {
            String waiter = entry.startsWith(WaitTicket.SHARE_PREFIX)
                    ? entry.substring(WaitTicket.SHARE_PREFIX.length())
                    : entry;
            String client = waiter.endsWith(WaitTicket.PREVIOUS_SUFFIX)
                    ? waiter.substring(0, waiter.length() - WaitTicket.PREVIOUS_SUFFIX.length())
                    : waiter;
            Instant since = Instant.EPOCH.plus(number, ChronoUnit.MICROS);
            return new Waiter(client, number >= WaitTicket.LAST ? Optional.empty() : Optional.of(since));
        }
    }

    /**
     * A holder's description of itself, or the note about the removal of a lock.
     *
     * @param token the fencing token of the lease that wrote the note; {@link FencingToken#NONE} if no lease has
     *     written one
     * @param text such as a host and a process id; empty if there is no note
     */
    public record Note(FencingToken token, String text) {

        /** The absence of a note. */
        public static final Note NONE = new Note(FencingToken.NONE, "");

        private static final int MAX_LENGTH = 1_024;

        /**
         * Returns the text of a new note.
         *
         * @throws IllegalArgumentException if it is longer than 1,024 characters
         */
        public static String require(String text) {
            Objects.requireNonNull(text, "note is null; give a note");
            if (text.length() > MAX_LENGTH) {
                throw new IllegalArgumentException("A note has at most " + MAX_LENGTH + " characters, not "
                        + text.length() + "; shorten it, since every status contains it");
            }
            return text;
        }
    }

    /** Creates a state. */
    public NodeLockStatus {
        clients = List.copyOf(clients);
        queue = List.copyOf(queue);
    }

    /**
     * Returns the fencing token of the lease that has written the note; empty if the lock is free or shared, or if
     * there is no note. If the lock was handed over within the holder's process since, the present token is greater.
     */
    public Optional<FencingToken> token() {
        return shares > 0 || !isHeld() || note.equals(Note.NONE) ? Optional.empty() : Optional.of(note.token());
    }

    /** Returns this state with another note. */
    public NodeLockStatus with(Note other) {
        return new NodeLockStatus(holder, shares, timeLeft, fence, clients, queue, other, retained);
    }

    /** Returns {@code true} if the lock is held, exclusive or shared. */
    public boolean isHeld() {
        return !holder.isEmpty();
    }
}
