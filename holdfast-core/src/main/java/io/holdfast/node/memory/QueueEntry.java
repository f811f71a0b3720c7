package io.holdfast.node.memory;

import io.holdfast.node.Claim;
import io.holdfast.node.WaitTicket;
import org.jspecify.annotations.Nullable;

/**
 * A place in line, ordered as by a sorted set of Redis. As many who want a share as stand behind each other are called together.
 *
 * @param name as {@link WaitTicket#entry}
 */
record QueueEntry(String name, long number) implements Comparable<QueueEntry> {

    /** Where the claim stands if it is in line; null: it does not wait. */
    static @Nullable QueueEntry of(Claim claim) {
        WaitTicket ticket = claim.ticket();
        return ticket == null ? null : new QueueEntry(ticket.entry(), ticket.number());
    }

    static boolean isShare(String name) {
        return name.startsWith(WaitTicket.SHARE);
    }

    static String inbox(String name) {
        return isShare(name) ? name.substring(WaitTicket.SHARE.length()) : name;
    }

    @Override
    public int compareTo(QueueEntry other) {
        int byNumber = Long.compare(number, other.number);
        return byNumber != 0 ? byNumber : name.compareTo(other.name);
    }
}
