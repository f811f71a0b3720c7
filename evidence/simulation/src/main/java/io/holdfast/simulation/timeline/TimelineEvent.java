package io.holdfast.simulation.timeline;

/**
 * Something that happened in a run.
 *
 * @param nanos the time of the event
 * @param lane the place: a client, a node, the link between them, or {@code ""}
 * @param kind the kind of the event
 * @param attempt the attempt it is about, such as {@code #12}, or {@code ""}
 * @param resource the resource it is about, or {@code ""}
 * @param lastsNanos the longest duration of the state that begins here; 0 if it is over at once
 * @param text a description for a person
 */
record TimelineEvent(
        long nanos, String lane, Kind kind, String attempt, String resource, long lastsNanos, String text) {

    enum Kind {
        SENT,
        /** A node has granted or extended a lock. */
        KEPT,
        /** A node has deleted a lock. */
        DELETED,
        /** A node has neither granted nor deleted a lock. */
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
