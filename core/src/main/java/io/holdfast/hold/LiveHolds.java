package io.holdfast.hold;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The holds of one client that have not ended, in a ring of the holds themselves, since there may be very many. An
 * iterator or a stream contains those of the moment at which it was made.
 *
 * <p>Thread-safe: the monitor of this object guards the links of all its holds, which no other class changes.
 */
final class LiveHolds implements Iterable<Hold> {

    private final Link ends = new Link() {};

    synchronized void add(Hold hold) {
        hold.insertAfter(ends);
    }

    /** Removes a hold, unless it was removed before. */
    synchronized void remove(Hold hold) {
        hold.remove();
    }

    synchronized boolean isEmpty() {
        return ends.next().equals(ends);
    }

    @Override
    public Iterator<Hold> iterator() {
        return present().iterator();
    }

    Stream<Hold> stream() {
        return present().stream();
    }

    private synchronized List<Hold> present() {
        List<Hold> holds = new ArrayList<>();
        for (Link next = ends.next(); next instanceof Hold hold; next = hold.next()) {
            holds.add(hold);
        }
        return holds;
    }
}
