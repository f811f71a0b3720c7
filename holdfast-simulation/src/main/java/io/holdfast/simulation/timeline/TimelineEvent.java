package io.holdfast.simulation.timeline;

/**
 * Something that happened in a run.
 *
 * @param nanos when
 * @param lane where: a client, a node, the way between them, or {@code ""}
 * @param kind what kind of thing it is
 * @param attempt the attempt it is about, such as {@code #12}, or {@code ""}
 * @param resource the resource it is about, or {@code ""}
 * @param lastsNanos for how long what begins here lasts unless something ends it; 0: it is over at once
 * @param text for a person
 */
record TimelineEvent(
        long nanos, String lane, Kind kind, String attempt, String resource, long lastsNanos, String text) {

    enum Kind {
        SENT,
        /** A node has taken or kept a lock. */
        KEPT,
        /** A node has deleted a lock. */
        DELETED,
        /** A node has done neither. */
        ANSWERED,
        GRANTED,
        RELIED,
        WROTE,
        LOST,
        RELEASED,
        STRUCK,
        PHASE
    }

    @Override
    public String toString() {
        return String.format("%12.6f  %-10s %s", nanos / 1e9, lane, text);
    }
}
