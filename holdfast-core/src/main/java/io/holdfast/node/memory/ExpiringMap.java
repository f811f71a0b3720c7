package io.holdfast.node.memory;

import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values with a time to live, as a Redis server keeps them under their keys. */
final class ExpiringMap<V> {

    private final Map<String, Entry<V>> entries = new HashMap<>();

    private record Entry<V>(V value, Moment since, Duration ttl) {

        Duration left(Moment now) {
            Duration left = ttl.minus(now.since(since));
            return left.isNegative() ? Duration.ZERO : left;
        }
    }

    /** Drops whatever has expired; to be called before anything is looked at. */
    void expire(Moment now) {
        entries.values().removeIf(entry -> entry.left(now).isZero());
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

    /** Zero: there is no such key. */
    Duration left(String key, Moment now) {
        Entry<V> entry = entries.get(key);
        return entry == null ? Duration.ZERO : entry.left(now);
    }

    void put(String key, V value, Moment now, Duration ttl) {
        entries.put(key, new Entry<>(value, now, ttl));
    }

    void remove(String key) {
        entries.remove(key);
    }

    void removeValue(V value) {
        entries.values().removeIf(entry -> entry.value().equals(value));
    }

    /** How long the last of the keys that have that value lasts; zero: there is none. */
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

    int size() {
        return entries.size();
    }

    /** Returns the keys, in no order. */
    List<String> keys() {
        return List.copyOf(entries.keySet());
    }

    /** Returns the number of keys that have this value. */
    int count(V value) {
        return (int) entries.values().stream()
                .filter(entry -> entry.value().equals(value))
                .count();
    }
}
