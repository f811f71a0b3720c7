package io.holdfast.node.memory;

import io.holdfast.node.WakeUp;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reservations of free locks for notified waiters, by resource. Not thread-safe. */
final class Reservations {

    /** By resource, the names of the notified entries, separated by spaces. */
    private final ExpiringMap<String> reserved = new ExpiringMap<>();

    void clear() {
        reserved.clear();
    }

    void expire(Moment now) {
        reserved.expire(now);
    }

    /** Returns the names of the notified entries with spaces between them; null if the lock is not reserved. */
    @Nullable
    String of(String resource) {
        return reserved.get(resource);
    }

    boolean isReservedFor(String resource, String name) {
        String entries = reserved.get(resource);
        return entries != null && names(entries).contains(name);
    }

    /** Returns how long a free lock stays reserved; zero: it is not. */
    Duration left(String resource, Moment now) {
        return reserved.left(resource, now);
    }

    void reserve(String resource, List<String> names, Moment now) {
        reserved.put(resource, String.join(" ", names), now, WakeUp.RESERVATION);
    }

    void remove(String resource) {
        reserved.remove(resource);
    }

    /** Ends the reservation of one entry; returns {@code true} if it was the last one of the lock. */
    boolean cancel(String resource, String name, Moment now) {
        String entries = reserved.get(resource);
        if (entries == null || !names(entries).contains(name)) {
            return false;
        }
        List<String> others =
                names(entries).stream().filter(other -> !other.equals(name)).toList();
        if (others.isEmpty()) {
            reserved.remove(resource);
        } else {
            reserved.put(resource, String.join(" ", others), now, reserved.left(resource, now));
        }
        return others.isEmpty();
    }

    private static List<String> names(String entries) {
        return List.of(entries.split(" "));
    }
}
