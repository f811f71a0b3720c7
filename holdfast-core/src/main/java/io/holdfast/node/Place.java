package io.holdfast.node;

import org.jspecify.annotations.Nullable;

/**
 * A place in line, ordered as by a sorted set of Redis. As many who want a share as stand behind each other are called together.
 *
 * @param name as {@link Ticket#place}
 */
record Place(String name, long number) implements Comparable<Place> {

    /** Where the claim stands if it is in line; null: it does not wait. */
    static @Nullable Place of(Claim claim) {
        Ticket ticket = claim.ticket();
        return ticket == null ? null : new Place(ticket.place(), ticket.number());
    }

    static boolean isShare(String name) {
        return name.startsWith(Ticket.SHARE);
    }

    static String inbox(String name) {
        return isShare(name) ? name.substring(Ticket.SHARE.length()) : name;
    }

    @Override
    public int compareTo(Place other) {
        int byNumber = Long.compare(number, other.number);
        return byNumber != 0 ? byNumber : name.compareTo(other.name);
    }
}
