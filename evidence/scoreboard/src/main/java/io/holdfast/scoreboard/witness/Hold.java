package io.holdfast.scoreboard.witness;

import io.holdfast.scoreboard.witness.Event.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The time in which a client took itself for the holder: from its acquire until it released the lock, was notified of a
 * loss, or ended.
 *
 * @param to the end, or the end of the run
 * @param end how it ended
 * @param stopped the time within it during which the system had stopped the process, as pairs of a begin and an end
 */
record Hold(int client, long from, long to, Kind end, List<long[]> stopped) {

    /** Returns the holds of a history, in the order in which they began. */
    static List<Hold> of(List<Event> history) {
        Map<Integer, Event> open = new HashMap<>();
        Map<Integer, List<long[]>> stops = new HashMap<>();
        List<Hold> holds = new ArrayList<>();
        for (Event event : history) {
            List<long[]> spans = stops.computeIfAbsent(event.client(), client -> new ArrayList<>());
            switch (event.kind()) {
                case GOT -> open.put(event.client(), event);
                case STOPPED -> spans.add(new long[] {event.atNanos(), Long.MAX_VALUE});
                case CONTINUED -> spans.get(spans.size() - 1)[1] = event.atNanos();
                case RELEASED, LOST, GONE -> {
                    Event got = open.remove(event.client());
                    if (got != null) {
                        holds.add(new Hold(
                                event.client(), got.atNanos(), event.atNanos(), event.kind(), List.copyOf(spans)));
                    }
                }
                case ENDED ->
                    open.forEach((client, got) -> holds.add(new Hold(
                            client,
                            got.atNanos(),
                            event.atNanos(),
                            Kind.ENDED,
                            List.copyOf(stops.getOrDefault(client, List.of())))));
                default -> {}
            }
        }
        holds.sort((one, other) -> Long.compare(one.from, other.from));
        return holds;
    }

    /** Returns how long both clients ran and took themselves for the holder. */
    long overlap(Hold other) {
        long begin = Math.max(from, other.from);
        long end = Math.min(to, other.to);
        long both = Math.max(0, end - begin);
        for (List<long[]> spans : List.of(stopped, other.stopped)) {
            for (long[] span : spans) {
                both -= Math.max(0, Math.min(end, span[1]) - Math.max(begin, span[0]));
            }
        }
        return client == other.client ? 0 : Math.max(0, both);
    }
}
