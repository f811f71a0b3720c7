package io.holdfast.node.memory;

import io.holdfast.node.Claim;
import io.holdfast.node.WaitTicket;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a wait queue, ordered as in a sorted set of Redis. Consecutive shared waiters at the head of the queue
 * are notified together.
 *
 * @param name as {@link WaitTicket#entry}
 * @param number as {@link WaitTicket#number}
 */
record QueueEntry(String name, long number) implements Comparable<QueueEntry> {

    /** Returns the entry of the claim's ticket; null if it has none. */
    static @Nullable QueueEntry of(Claim claim) {
        WaitTicket ticket = claim.ticket();
        return ticket == null ? null : new QueueEntry(ticket.entry(), ticket.number());
    }

    static boolean isShared(String name) {
        return name.startsWith(WaitTicket.SHARE_PREFIX);
    }

    static String inbox(String name) {
        return isShared(name) ? name.substring(WaitTicket.SHARE_PREFIX.length()) : name;
    }

    @Override
    public int compareTo(QueueEntry other) {
        int byNumber = Long.compare(number, other.number);
        return byNumber != 0 ? byNumber : name.compareTo(other.name);
    }
}
