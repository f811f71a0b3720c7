package io.holdfast.node;

import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values with a time to live, as a Redis server keeps them under their keys. */
final class TimedKeys<V> {

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

    /** Removes the key if it has that value. */
    void remove(String key, V value) {
        if (value.equals(get(key))) {
            remove(key);
        }
    }

    void clear() {
        entries.clear();
    }

    int size() {
        return entries.size();
    }
}
