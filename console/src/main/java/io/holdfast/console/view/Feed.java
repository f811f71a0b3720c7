package io.holdfast.console.view;

import io.holdfast.console.json.Json;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The newest overview and the last changes, which viewers receive. Thread-safe. */
final class Feed {

    /** A new viewer receives no state that is older. */
    private static final long FRESH_NANOS = 2_000_000_000L;

    /** After this time without a reading, no viewer receives anything: what is shown is old. */
    private static final long SILENT_NANOS = 10_000_000_000L;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int MOST_CHANGES = 100;

    private final LongSupplier clock;
    private final long lookNanos;
    private final Deque<Change> changes = new ArrayDeque<>();
    private @Nullable Overview current;
    private long lastRead;
    private long lastLook;
    private int viewers;
    private boolean isClosed;

    private record Change(long version, String json) {}

    /**
     * Creates a feed without an overview.
     *
     * @param lookNanos how long a request counts as a viewer
     * @param clock the monotonic clock, in nanoseconds
     */
    Feed(long lookNanos, LongSupplier clock) {
        this.lookNanos = lookNanos;
        this.clock = clock;
        this.lastLook = clock.getAsLong() - lookNanos;
        this.lastRead = clock.getAsLong() - SILENT_NANOS;
    }

    /** Notes a request of a viewer. */
    synchronized void look() {
        lastLook = clock.getAsLong();
    }

    /** Returns whether there is a viewer: one that is counted, or a request a short time ago. */
    synchronized boolean isWatched() {
        return !isClosed && (viewers > 0 || clock.getAsLong() - lastLook < lookNanos);
    }

    /**
     * Publishes what was read.
     *
     * @param time when, by the wall clock, in milliseconds
     * @param overview creates the overview with its version
     */
    synchronized void publish(long time, LongFunction<Overview> overview) {
        Overview before = current;
        Overview next = overview.apply(before == null ? time : before.version() + 1);
        lastRead = clock.getAsLong();
        use(next, before);
    }

    /** Replaces one part of the overview, if there is one; it becomes no fresher. */
    synchronized void replace(String part, Object value) {
        if (current != null) {
            use(current.with(part, value), current);
        }
    }

    private void use(Overview next, @Nullable Overview before) {
        if (before == null) {
            current = next;
        } else if (next.differsFrom(before)) {
            current = next;
            changes.add(new Change(next.version(), next.changesSince(before)));
            if (changes.size() > MOST_CHANGES) {
                changes.remove();
            }
        }
        notifyAll();
    }

    private boolean isRead(long withinNanos) {
        return clock.getAsLong() - lastRead < withinNanos;
    }

    /** Waits for a fresh overview, at most so long. Returns the newest one, unless it is old. */
    synchronized Optional<Overview> overview(long limitMillis) throws InterruptedException {
        long begun = clock.getAsLong();
        long left = limitMillis;
        while (begun - lastRead > FRESH_NANOS && left > 0 && !isClosed) {
            wait(left);
            left = limitMillis - (clock.getAsLong() - begun) / NANOS_PER_MILLI;
        }
        return Optional.ofNullable(current).filter(overview -> isRead(SILENT_NANOS));
    }

    /** Counts a viewer; returns {@code false} if there are this many already. */
    synchronized boolean enter(int most) {
        if (viewers >= most || isClosed) {
            return false;
        }
        viewers++;
        return true;
    }

    synchronized void leave() {
        viewers--;
    }

    /**
     * Events for a viewer.
     *
     * @param version the version that the viewer knows then
     * @param text server-sent events
     */
    record News(long version, String text) {}

    /**
     * Waits for a state that a viewer does not know, at most so long. Returns the whole state for a new viewer and for
     * one that was too slow, else what has changed; a sign of life if nothing has, and none if that is not known.
     *
     * @param seen the version that the viewer knows; 0: none
     * @return empty if the feed is closed
     */
    synchronized Optional<News> news(long seen, long limitMillis) throws InterruptedException {
        long end = clock.getAsLong() + limitMillis * NANOS_PER_MILLI;
        for (long left = limitMillis;
                !isClosed && left > 0 && !isNews(seen);
                left = (end - clock.getAsLong()) / NANOS_PER_MILLI) {
            wait(left);
        }
        return isClosed ? Optional.empty() : Optional.of(since(seen));
    }

    private boolean isNews(long seen) {
        return current != null && current.version() != seen && isRead(seen == 0 ? FRESH_NANOS : SILENT_NANOS);
    }

    private News since(long seen) {
        Overview now = current;
        if (now == null || !isRead(SILENT_NANOS)) {
            return new News(seen, ":\n\n");
        }
        long time = System.currentTimeMillis();
        Change oldest = changes.peek();
        if (now.version() == seen) {
            return new News(seen, event("alive", Json.object(Json.fields("version", seen, "time", time))));
        } else if (seen == 0 || oldest == null || oldest.version > seen + 1) {
            return new News(now.version(), event("overview", now.json(time)));
        }
        return new News(
                now.version(),
                changes.stream()
                        .filter(change -> change.version > seen)
                        .map(change -> event("change", change.json))
                        .collect(Collectors.joining()));
    }

    private static String event(String name, String data) {
        return "event: " + name + "\ndata: " + data + "\n\n";
    }

    /** Ends all waits, and accepts no viewer any more. */
    synchronized void close() {
        isClosed = true;
        notifyAll();
    }
}
