package io.holdfast.simulation.timeline;

import io.holdfast.simulation.SimulationResult;
import io.holdfast.simulation.timeline.TimelineEvent.Kind;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run as a page with a picture: a row for each client and node, bars for leases, keys and faults. It shows the time
 * around the first violation, or the beginning of a run without one.
 */
public final class TimelinePage {

    private static final int WIDTH = 1_500;
    private static final int LEFT = 110;
    private static final int ROW = 18;
    private static final long BEFORE_NANOS = 2_500_000_000L;
    private static final long AFTER_NANOS = 500_000_000L;
    private static final int GRID_LINES = 10;

    private final SimulationResult result;
    private final List<TimelineEvent> events;
    private final long fromNanos;
    private final long toNanos;
    private final Map<String, Integer> rows = new LinkedHashMap<>();
    private final StringBuilder drawn = new StringBuilder();

    private TimelinePage(SimulationResult result, List<TimelineEvent> events) {
        this.result = result;
        this.events = events;
        long end = events.isEmpty() ? 1 : events.get(events.size() - 1).nanos();
        boolean broken = !result.violations().isEmpty();
        long middle = broken ? result.violations().get(0).at().toNanos() : BEFORE_NANOS;
        this.fromNanos = Math.max(0, middle - BEFORE_NANOS);
        this.toNanos = Math.max(fromNanos + 1, Math.min(end, middle + AFTER_NANOS));
    }

    /** Returns the whole page. */
    public static String of(SimulationResult result, Timeline timeline) {
        return new TimelinePage(result, timeline.events()).page();
    }

    private String page() {
        String title = "Seed " + result.plan().seed() + ", " + result.plan().nodes() + " nodes: "
                + (result.violations().isEmpty()
                        ? "no violation"
                        : result.violations().get(0).property());
        StringBuilder page =
                new StringBuilder(head(escape(title), escape(result.plan().toString())));
        findRows();
        draw();
        page.append("<svg xmlns='http://www.w3.org/2000/svg' width='" + (WIDTH + LEFT + 20) + "' height='"
                + (y(rows.size()) + 40) + "'>\n");
        grid(page);
        page.append(drawn).append("</svg>\n<pre>\n");
        result.violations()
                .forEach(violation -> page.append(escape(violation.toString())).append('\n'));
        page.append('\n');
        events.stream()
                .filter(this::isShown)
                .forEach(event -> page.append(escape(event.toString())).append('\n'));
        return page.append("</pre></body></html>\n").toString();
    }

    private static String head(String title, String plan) {
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>TITLE</title><style>
            body { font: 13px sans-serif; margin: 1em } pre { font-size: 12px }
            .lane { fill: #444; font: 12px sans-serif } .grid { stroke: #ddd } .time { fill: #888; font: 11px sans-serif }
            .lease { fill: #3b82c4 } .key { fill: #b9d7a8 } .fault { fill: #e0a458; opacity: .6 } .label { font: 10px sans-serif }
            .message { stroke: #999; stroke-width: .4 } .violation { stroke: #d22; stroke-width: 2 } .refused { fill: #d22 }
            </style></head><body><h1>TITLE</h1><p>PLAN</p>
            <p>Blue: a client holds a lease. Green: a node has a key. Orange: a fault. Red: a broken promise. Point at a bar to read
            what it is.</p>
            """.replace("TITLE", title).replace("PLAN", plan);
    }

    /** Assigns a row to each client and node, and one below it to each resource. */
    private void findRows() {
        for (String kind : List.of("client", "node")) {
            events.stream()
                    .filter(event ->
                            event.lane().startsWith(kind) && !event.lane().contains("→"))
                    .flatMap(event -> Stream.of(event.lane(), row(event)))
                    .sorted()
                    .distinct()
                    .forEach(row -> rows.putIfAbsent(row, rows.size()));
        }
    }

    private static String row(TimelineEvent event) {
        return event.resource().isEmpty() ? event.lane() : event.lane() + " " + event.resource();
    }

    private void draw() {
        Map<String, TimelineEvent> leases = new LinkedHashMap<>();
        Map<String, TimelineEvent> keys = new LinkedHashMap<>();
        Map<String, TimelineEvent> faults = new LinkedHashMap<>();
        Map<String, TimelineEvent> sent = new HashMap<>();
        for (TimelineEvent event : events) {
            switch (event.kind()) {
                case GRANTED -> leases.put(event.attempt(), event);
                case LOST, RELEASED -> end(leases.remove(event.attempt()), event.nanos(), "lease");
                case KEPT -> keep(keys, event);
                case DELETED -> endKey(keys.remove(row(event)), event.nanos());
                case STRUCK -> strike(faults, event);
                case SENT -> sent.put(event.text(), event);
                default -> {}
            }
            if (event.lane().startsWith("node")) {
                message(sent.get(claimOf(event) + " → " + event.lane()), event);
            }
        }
        leases.values().forEach(event -> end(event, toNanos, "lease"));
        keys.values().forEach(event -> endKey(event, toNanos));
        faults.values().forEach(event -> end(event, toNanos, "fault"));
        result.violations().forEach(violation -> line(violation.at().toNanos(), violation.toString()));
    }

    private static String claimOf(TimelineEvent event) {
        int end = event.text().indexOf(" ⇒ ");
        return end < 0 ? "" : event.text().substring(0, end);
    }

    private void keep(Map<String, TimelineEvent> keys, TimelineEvent event) {
        TimelineEvent before = keys.get(row(event));
        long since = event.nanos();
        if (before != null && before.attempt().equals(event.attempt())) {
            since = before.nanos();
        } else {
            endKey(before, event.nanos());
        }
        long until = event.nanos() + event.lastsNanos();
        keys.put(
                row(event),
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

    private void strike(Map<String, TimelineEvent> faults, TimelineEvent event) {
        end(faults.remove(event.lane()), event.nanos(), "fault");
        if (event.lastsNanos() > 0) {
            faults.put(event.lane(), event);
        } else {
            end(event, event.nanos() + (toNanos - fromNanos) / 400, "fault");
        }
    }

    private void end(@Nullable TimelineEvent event, long atNanos, String style) {
        Integer row = event == null ? null : rows.get(row(event));
        if (event == null || row == null || atNanos < fromNanos || event.nanos() > toNanos) {
            return;
        }
        double x = x(Math.max(fromNanos, event.nanos()));
        double width = Math.max(1, x(Math.min(toNanos, atNanos)) - x);
        String label = event.attempt().isEmpty() ? event.text() : event.attempt();
        drawn.append(String.format(
                "<g><rect class='%s' x='%.1f' y='%d' width='%.1f' height='%d'><title>%s</title></rect>"
                        + "<text class='label' x='%.1f' y='%d'>%s</text></g>%n",
                style, x, y(row) + 2, width, ROW - 4, escape(event.toString()), x + 1, y(row) + 13, escape(label)));
    }

    private void message(@Nullable TimelineEvent from, TimelineEvent to) {
        if (from != null && isShown(from) && isShown(to)) {
            drawn.append(String.format(
                    "<line class='message' x1='%.1f' y1='%d' x2='%.1f' y2='%d'/>%n",
                    x(from.nanos()),
                    y(rows.getOrDefault(from.lane(), 0)) + ROW / 2,
                    x(to.nanos()),
                    y(rows.getOrDefault(to.lane(), 0)) + ROW / 2));
        }
    }

    private void line(long nanos, String title) {
        if (nanos >= fromNanos && nanos <= toNanos) {
            drawn.append(String.format(
                    "<line class='violation' x1='%1$.1f' y1='20' x2='%1$.1f' y2='%2$d'><title>%3$s</title></line>%n",
                    x(nanos), y(rows.size()), escape(title)));
        }
    }

    private void grid(StringBuilder page) {
        rows.forEach((name, row) ->
                page.append("<text class='lane' x='0' y='" + (y(row) + 13) + "'>" + escape(name) + "</text>\n"));
        for (int i = 0; i <= GRID_LINES; i++) {
            long nanos = fromNanos + (toNanos - fromNanos) * i / GRID_LINES;
            page.append(String.format(
                    "<line class='grid' x1='%1$.1f' y1='20' x2='%1$.1f' y2='%2$d'/><text class='time' x='%1$.1f' y='14'>%3$.3f s</text>%n",
                    x(nanos), y(rows.size()), nanos / 1e9));
        }
    }

    private boolean isShown(TimelineEvent event) {
        return event.nanos() >= fromNanos && event.nanos() <= toNanos;
    }

    private double x(long nanos) {
        return LEFT + (double) WIDTH * (nanos - fromNanos) / (toNanos - fromNanos);
    }

    private static int y(int row) {
        return 20 + row * ROW;
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("'", "&#39;");
    }
}
