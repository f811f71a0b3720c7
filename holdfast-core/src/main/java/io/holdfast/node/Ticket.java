package io.holdfast.node;

/**
 * A waiter's place in line. Lines on different nodes agree on it, because the number orders them and not the arrival.
 *
 * @param inbox where the waiter's client is woken; a client has one place in the line of a resource
 * @param number since when it waits, in microseconds by the nodes' clocks: the smaller goes first
 * @param fair whether the waiter refuses a free lock while others are before it in line
 */
public record Ticket(String inbox, long number, boolean fair) implements Comparable<Ticket> {

    /** The number of whoever does not know the nodes' clocks yet: the greatest that a sorted set of Redis keeps exactly. */
    public static final long LAST = (1L << 53) - 1;

    /** Whether its place is not known yet. */
    public boolean isLast() {
        return number == LAST;
    }

    /** The order of the line, also of a Redis sorted set: by number, then by name. */
    @Override
    public int compareTo(Ticket other) {
        int byNumber = Long.compare(number, other.number);
        return byNumber != 0 ? byNumber : inbox.compareTo(other.inbox);
    }
}
