package io.holdfast.node.memory;

import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Values with a time to live, as a Redis server keeps them under their keys. */
final class ExpiringMap<V> {

    private final Map<String, Entry<V>> entries = new HashMap<>();
    /** No key expires before this reading of either clock; null: there is no key. */
    private @Nullable Moment firstExpiry;

    private record Entry<V>(V value, Moment since, Duration ttl) {

        Duration left(Moment now) {
            Duration left = ttl.minus(now.since(since));
            return left.isNegative() ? Duration.ZERO : left;
        }

        Moment expiry() {
            return new Moment(since.nanos() + ttl.toNanos(), since.wallMicros() + ttl.toNanos() / 1_000);
        }
    }

    /**
     * Removes expired entries; to be called before any other method. Reads all entries only when one of them may have
     * expired.
     */
    void expire(Moment now) {
        Moment first = firstExpiry;
        if (first == null || (now.nanos() - first.nanos() < 0 && now.wallMicros() < first.wallMicros())) {
            return;
        }
        entries.values().removeIf(entry -> entry.left(now).isZero());
        firstExpiry = null;
        entries.values().forEach(this::noteExpiry);
    }

    private void noteExpiry(Entry<V> entry) {
        Moment first = firstExpiry;
        Moment expiry = entry.expiry();
        if (first == null) {
            firstExpiry = expiry;
        } else {
            long nanos = expiry.nanos() - first.nanos() < 0 ? expiry.nanos() : first.nanos();
            firstExpiry = new Moment(nanos, Math.min(expiry.wallMicros(), first.wallMicros()));
        }
    }

    @Nullable
    V get(String key) {
        Entry<V> entry = entries.get(key);
        return entry == null ? null : entry.value();
    }

    V getOr(String key, V other) {
        V value = get(key);
        return value == null ? other : value;
    }

    /** Returns the time to live that is left; zero: there is no such key. */
    Duration left(String key, Moment now) {
        Entry<V> entry = entries.get(key);
        return entry == null ? Duration.ZERO : entry.left(now);
    }

    void put(String key, V value, Moment now, Duration ttl) {
        Entry<V> entry = new Entry<>(value, now, ttl);
        entries.put(key, entry);
        noteExpiry(entry);
    }

    void remove(String key) {
        entries.remove(key);
    }

    void removeValue(V value) {
        entries.values().removeIf(entry -> entry.value().equals(value));
    }

    /** Returns the longest time to live that is left of all keys with this value; zero: there is none. */
    Duration longest(V value, Moment now) {
        return entries.values().stream()
                .filter(entry -> entry.value().equals(value))
                .map(entry -> entry.left(now))
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    void clear() {
        entries.clear();
    }

    /** Returns the keys, in no order. */
    List<String> keys() {
        return List.copyOf(entries.keySet());
    }

    /** Returns the keys that have this value, in no order. */
    Stream<String> keysOf(V value) {
        return entries.entrySet().stream()
                .filter(entry -> entry.getValue().value().equals(value))
                .map(Map.Entry::getKey);
    }

    /** Returns the number of keys that have this value. */
    int count(V value) {
        return (int) keysOf(value).count();
    }
}
