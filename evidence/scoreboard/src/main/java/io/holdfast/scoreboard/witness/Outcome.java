package io.holdfast.scoreboard.witness;

import io.holdfast.benchmarks.figures.Spread;
import io.holdfast.scoreboard.witness.Event.Kind;
import io.holdfast.testkit.history.Violation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;

/**
 * The figures of a lock, computed from a history. Times count from the begin of the fault: before it, a machine that is
 * busy with the start of many processes makes any lock slow.
 *
 * @param updates the writes that the counter accepted
 * @param lost how many of them are missing from the counter, because another one overwrote them
 * @param refused the writes that the counter refused because of their tokens
 * @param overlapMillis the longest time in which two running clients took themselves for the holder
 * @param gapMillis the longest time in which no client took itself for the holder
 * @param waitsMillis the times from asking to holding, of the waits that end after the begin of the fault; of a client
 *     that waits in vain, until the end of the run
 * @param violations the promises that an independent checker finds broken
 */
public record Outcome(
        long updates,
        long lost,
        long refused,
        double overlapMillis,
        double gapMillis,
        Spread waitsMillis,
        Notified notified,
        Set<Violation.Kind> violations) {

    private static final double MILLI = 1e-6;

    /** Copies the set. */
    public Outcome {
        violations = Set.copyOf(violations);
    }

    /** Examines a complete history. */
    public static Outcome of(List<Event> history) {
        List<Hold> holds = Hold.of(history);
        long fault = faultNanos(history);
        long updates = count(history, Kind.WROTE);
        return new Outcome(
                updates,
                updates - counter(history),
                count(history, Kind.REFUSED),
                overlap(holds) * MILLI,
                gap(holds, fault, history.get(history.size() - 1).atNanos()) * MILLI,
                waits(history, fault),
                notified(history, holds),
                Operations.violations(history));
    }

    /** Returns when the fault began; zero if there was none. */
    private static long faultNanos(List<Event> history) {
        return history.stream()
                .filter(event -> event.kind() == Kind.FAULT)
                .mapToLong(Event::atNanos)
                .findFirst()
                .orElse(0);
    }

    private static long count(List<Event> history, Kind kind) {
        return history.stream().filter(event -> event.kind() == kind).count();
    }

    /** Returns the last value: each update that was not lost has made the counter greater by one. */
    private static long counter(List<Event> history) {
        return history.stream()
                .filter(event -> event.kind() == Kind.WROTE)
                .mapToLong(Event::value)
                .reduce(0, (earlier, later) -> later);
    }

    private static long overlap(List<Hold> holds) {
        long longest = 0;
        for (int i = 0; i < holds.size(); i++) {
            for (int j = i + 1;
                    j < holds.size() && holds.get(j).from() < holds.get(i).to();
                    j++) {
                longest = Math.max(longest, holds.get(i).overlap(holds.get(j)));
            }
        }
        return longest;
    }

    private static long gap(List<Hold> holds, long begin, long end) {
        long longest = 0;
        long heldUntil = begin;
        for (Hold hold : holds) {
            if (hold.to() < begin) {
                continue;
            }
            longest = Math.max(longest, hold.from() - heldUntil);
            heldUntil = Math.max(heldUntil, hold.to());
        }
        return Math.max(longest, end - heldUntil);
    }

    private static Spread waits(List<Event> history, long begin) {
        Map<Integer, Long> asked = new HashMap<>();
        DoubleStream.Builder waits = DoubleStream.builder();
        for (Event event : history) {
            switch (event.kind()) {
                case ASKED -> asked.put(event.client(), event.atNanos());
                case GOT -> {
                    Long at = asked.remove(event.client());
                    if (event.atNanos() >= begin) {
                        waits.add((event.atNanos() - (at == null ? event.atNanos() : at)) * MILLI);
                    }
                }
                case GONE -> asked.remove(event.client());
                case ENDED -> asked.values().forEach(at -> waits.add((event.atNanos() - at) * MILLI));
                default -> {}
            }
        }
        return Spread.of(waits.build());
    }

    private static Notified notified(List<Event> history, List<Hold> holds) {
        Event fault = history.stream()
                .filter(event -> event.kind() == Kind.FAULT)
                .findFirst()
                .orElse(null);
        Hold struck = fault == null
                ? null
                : holds.stream()
                        .filter(hold -> hold.client() == fault.client()
                                && hold.from() <= fault.atNanos()
                                && hold.to() >= fault.atNanos())
                        .findFirst()
                        .orElse(null);
        if (struck == null) {
            return Notified.KEPT;
        }
        boolean joined = holds.stream()
                .anyMatch(hold ->
                        hold.client() != struck.client() && hold.from() > struck.from() && hold.from() < struck.to());
        if (struck.end() == Kind.LOST) {
            return joined ? Notified.AFTER : Notified.BEFORE;
        }
        return !joined || struck.end() == Kind.GONE
                ? Notified.KEPT
                : toldLater(history, struck) ? Notified.AFTER : Notified.NEVER;
    }

    /** Returns whether the client was notified after it had left, and before it held the lock again. */
    private static boolean toldLater(List<Event> history, Hold struck) {
        return history.stream()
                .filter(event -> event.client() == struck.client() && event.atNanos() > struck.to())
                .takeWhile(event -> event.kind() != Kind.GOT)
                .anyMatch(event -> event.kind() == Kind.LOST);
    }
}
