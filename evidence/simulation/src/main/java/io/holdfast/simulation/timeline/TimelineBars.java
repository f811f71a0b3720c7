package io.holdfast.simulation.timeline;

import io.holdfast.simulation.timeline.TimelineEvent.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The states between events: which lease, key and fault lasted from when to when, and which claim arrived when. */
final class TimelineBars {

    /** The length of a fault that is over at once, so that it can be seen. */
    private static final long SHORT_NANOS = 5_000_000;

    private final long fromNanos;
    private final long toNanos;
    private final List<TimelineData.Bar> bars = new ArrayList<>();
    private final List<TimelineData.Message> messages = new ArrayList<>();
    private final Map<String, TimelineEvent> leases = new LinkedHashMap<>();
    private final Map<String, TimelineEvent> keys = new LinkedHashMap<>();
    private final Map<String, TimelineEvent> faults = new LinkedHashMap<>();
    private final Map<String, TimelineEvent> sent = new HashMap<>();

    private TimelineBars(long fromNanos, long toNanos) {
        this.fromNanos = fromNanos;
        this.toNanos = toNanos;
    }

    /** Reads all events of the run, and keeps what overlaps this part of it. */
    static TimelineBars of(List<TimelineEvent> events, long fromNanos, long toNanos) {
        TimelineBars made = new TimelineBars(fromNanos, toNanos);
        events.forEach(made::add);
        made.leases.values().forEach(event -> made.end(event, toNanos, "lease"));
        made.keys.values().forEach(event -> made.endKey(event, toNanos));
        made.faults.values().forEach(event -> made.end(event, toNanos, "fault"));
        return made;
    }

    List<TimelineData.Bar> bars() {
        return bars;
    }

    List<TimelineData.Message> messages() {
        return messages;
    }

    private void add(TimelineEvent event) {
        switch (event.kind()) {
            case GRANTED -> leases.put(event.attempt(), event);
            case LOST, RELEASED -> end(leases.remove(event.attempt()), event.nanos(), "lease");
            case KEPT -> keep(event);
            case DELETED -> endKey(keys.remove(key(event)), event.nanos());
            case STRUCK -> strike(event);
            case SENT -> sent.put(event.text(), event);
            default -> {}
        }
        if (event.lane().startsWith("node")) {
            deliver(sent.get(claimOf(event) + TimelineLanes.LINK + event.lane()), event);
        }
    }

    private static String key(TimelineEvent event) {
        return event.lane() + " " + event.resource();
    }

    private static String claimOf(TimelineEvent event) {
        int end = event.text().indexOf(" ⇒ ");
        return end < 0 ? "" : event.text().substring(0, end);
    }

    private void keep(TimelineEvent event) {
        TimelineEvent before = keys.get(key(event));
        long since = event.nanos();
        if (before != null && before.attempt().equals(event.attempt())) {
            since = before.nanos();
        } else {
            endKey(before, event.nanos());
        }
        long until = event.nanos() + event.lastsNanos();
        keys.put(
                key(event),
                new TimelineEvent(
                        since,
                        event.lane(),
                        Kind.KEPT,
                        event.attempt(),
                        event.resource(),
                        until - since,
                        event.text()));
    }

    private void endKey(@Nullable TimelineEvent key, long atNanos) {
        if (key != null) {
            end(key, Math.min(atNanos, key.nanos() + key.lastsNanos()), "key");
        }
    }

    private void strike(TimelineEvent event) {
        end(faults.remove(event.lane()), event.nanos(), "fault");
        if (event.lastsNanos() > 0) {
            faults.put(event.lane(), event);
        } else {
            end(event, event.nanos() + SHORT_NANOS, "fault");
        }
    }

    private void end(@Nullable TimelineEvent event, long atNanos, String kind) {
        if (event == null || atNanos < fromNanos || event.nanos() > toNanos) {
            return;
        }
        String label = event.attempt().isEmpty() ? event.text() : event.attempt();
        bars.add(new TimelineData.Bar(
                kind,
                event.lane(),
                event.resource(),
                TimelineData.millis(Math.max(fromNanos, event.nanos())),
                TimelineData.millis(Math.min(toNanos, atNanos)),
                label,
                event.text()));
    }

    private void deliver(@Nullable TimelineEvent from, TimelineEvent to) {
        if (from != null && from.nanos() >= fromNanos && to.nanos() <= toNanos) {
            messages.add(new TimelineData.Message(
                    from.lane(),
                    to.lane(),
                    to.resource(),
                    TimelineData.millis(from.nanos()),
                    TimelineData.millis(to.nanos())));
        }
    }
}
