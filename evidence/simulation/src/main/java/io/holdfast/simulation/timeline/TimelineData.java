package io.holdfast.simulation.timeline;

import io.holdfast.simulation.SimulationResult;
import java.time.Duration;
import java.util.List;

/**
 * The part of a run that a page shows: the events around the first violation, or the beginning of a run without one.
 *
 * @param title the seed and the result
 * @param plan the plan as a table
 * @param fromMillis the time of the first event that is shown
 * @param toMillis the time of the last event that is shown
 * @param violations all violations
 * @param lanes the clients, then the nodes, then the links that had a fault
 * @param locks the names of the locks
 * @param bars the leases, keys and faults
 * @param messages the claims that arrived
 * @param events all events of that time
 */
record TimelineData(
        String title,
        List<PlanTable.Row> plan,
        double fromMillis,
        double toMillis,
        List<Break> violations,
        List<Lane> lanes,
        List<String> locks,
        List<Bar> bars,
        List<Message> messages,
        List<Event> events) {

    /** The most events on a page, which a browser shows at once. */
    static final int MOST_EVENTS = 20_000;

    private static final Duration BEFORE = Duration.ofSeconds(30);
    private static final Duration AFTER = Duration.ofSeconds(5);
    /** Of the events of a page, most lead to the violation. */
    private static final int MOST_BEFORE = MOST_EVENTS * 3 / 4;

    private static final double NANOS_PER_MILLI = 1e6;

    /** A violation. */
    record Break(double atMillis, String property, String text) {}

    /** A client, a node, or the link between them. */
    record Lane(String name, String kind) {}

    /** A lease, a key of a node, or a fault. */
    record Bar(String kind, String lane, String lock, double fromMillis, double toMillis, String label, String text) {}

    /** A claim from a client to a node. */
    record Message(String from, String to, String lock, double sentMillis, double arrivedMillis) {}

    /** An event as text. */
    record Event(double atMillis, String lane, String lock, String text) {}

    static TimelineData of(SimulationResult result, List<TimelineEvent> all) {
        List<TimelineEvent> events = part(result, all);
        long fromNanos = events.isEmpty() ? 0 : events.get(0).nanos();
        long toNanos = events.isEmpty() ? 1 : events.get(events.size() - 1).nanos();
        TimelineBars bars = TimelineBars.of(all, fromNanos, toNanos);
        return new TimelineData(
                title(result),
                PlanTable.of(result.plan()),
                millis(fromNanos),
                millis(toNanos),
                result.violations().stream()
                        .map(one -> new Break(
                                millis(one.at().toNanos()), one.property().name(), one.what()))
                        .toList(),
                TimelineLanes.of(events),
                events.stream()
                        .map(TimelineEvent::resource)
                        .filter(lock -> !lock.isEmpty())
                        .distinct()
                        .sorted()
                        .toList(),
                bars.bars(),
                bars.messages(),
                events.stream()
                        .map(event -> new Event(millis(event.nanos()), event.lane(), event.resource(), event.text()))
                        .toList());
    }

    static double millis(long nanos) {
        return nanos / NANOS_PER_MILLI;
    }

    private static String title(SimulationResult result) {
        return "Seed " + result.plan().seed() + ", " + result.plan().nodes() + " nodes: "
                + (result.violations().isEmpty()
                        ? "no violation"
                        : result.violations().get(0).property());
    }

    private static List<TimelineEvent> part(SimulationResult result, List<TimelineEvent> all) {
        if (result.violations().isEmpty()) {
            return all.subList(0, Math.min(MOST_EVENTS, all.size()));
        }
        long at = result.violations().get(0).at().toNanos();
        int middle = firstAfter(all, at);
        int from = Math.max(firstAfter(all, at - BEFORE.toNanos() - 1), middle - MOST_BEFORE);
        int to = Math.min(firstAfter(all, at + AFTER.toNanos()), from + MOST_EVENTS);
        return all.subList(from, to);
    }

    /** Returns the number of events that are not later than this time. */
    private static int firstAfter(List<TimelineEvent> all, long nanos) {
        int low = 0;
        int high = all.size();
        while (low < high) {
            int middle = (low + high) / 2;
            if (all.get(middle).nanos() <= nanos) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
