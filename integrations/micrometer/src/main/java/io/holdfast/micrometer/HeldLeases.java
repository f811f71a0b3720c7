package io.holdfast.micrometer;

import io.holdfast.lease.FencingToken;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** The leases that a client holds, each with the end of its validity. Thread-safe. */
final class HeldLeases {

    private static final double NANOS_PER_SECOND = 1e9;

    private final LongSupplier nanoTime;
    private final Map<Key, Long> ends = new ConcurrentHashMap<>();

    private record Key(String resource, FencingToken fence) {}

    HeldLeases(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Returns {@code true} if the lease was not known. */
    boolean add(String resource, FencingToken fence, Duration remaining) {
        return ends.put(new Key(resource, fence), end(remaining)) == null;
    }

    void renewed(String resource, FencingToken fence, Duration remaining) {
        ends.computeIfPresent(new Key(resource, fence), (key, before) -> end(remaining));
    }

    /** Returns {@code true} if the lease was known. */
    boolean remove(String resource, FencingToken fence) {
        return ends.remove(new Key(resource, fence)) != null;
    }

    private long end(Duration remaining) {
        return nanoTime.getAsLong() + remaining.toNanos();
    }

    /** Returns the shortest time in seconds for which one of the leases is valid, at least 0; NaN if there is none. */
    double leastSeconds() {
        long now = nanoTime.getAsLong();
        return ends.values().stream()
                .mapToDouble(end -> Math.max(0, end - now) / NANOS_PER_SECOND)
                .min()
                .orElse(Double.NaN);
    }
}
