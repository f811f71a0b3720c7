package io.holdfast.console.view;

import io.holdfast.console.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** All that the console shows at one moment. Immutable. */
public final class Overview {

    private final long version;
    private final long time;
    private final Map<String, Object> source;
    private final SortedMap<String, Map<String, Object>> locks;
    private final Map<String, Object> parts;
    private volatile @Nullable String json;

    /**
     * Creates an overview.
     *
     * @param source what never changes, such as the name of the console
     * @param locks the rows of the locks by name
     * @param parts the other parts by name, each of which is sent as a whole when it changes
     */
    Overview(
            long version,
            long time,
            Map<String, Object> source,
            SortedMap<String, Map<String, Object>> locks,
            Map<String, Object> parts) {
        this.version = version;
        this.time = time;
        this.source = source;
        this.locks = locks;
        this.parts = parts;
    }

    /** Returns the number of this overview; a later one has a greater number. */
    public long version() {
        return version;
    }

    /** Returns everything as a JSON object, with the time at which it is sent. */
    public String json(long now) {
        String text = json;
        if (text == null) {
            Map<String, Object> all = Json.fields("version", version);
            all.putAll(source);
            all.putAll(parts);
            all.put("locks", List.copyOf(locks.values()));
            text = Json.object(all);
            json = text;
        }
        return "{\"time\":" + now + "," + text.substring(1);
    }

    /** Returns this overview with one other part. */
    Overview with(String part, Object value) {
        Map<String, Object> others = new LinkedHashMap<>(parts);
        others.put(part, value);
        return new Overview(version + 1, time, source, locks, others);
    }

    /** Returns whether anything but the moment differs. */
    boolean differsFrom(Overview before) {
        return !locks.equals(before.locks) || !parts.equals(before.parts);
    }

    /** Returns what has changed since an earlier overview, as a JSON object. */
    String changesSince(Overview before) {
        Map<String, Object> changes = new LinkedHashMap<>(Json.fields("version", version, "time", time));
        changes.put(
                "removed",
                before.locks.keySet().stream()
                        .filter(name -> !locks.containsKey(name))
                        .toList());
        changes.put(
                "locks",
                locks.entrySet().stream()
                        .filter(row -> !row.getValue().equals(before.locks.get(row.getKey())))
                        .map(Map.Entry::getValue)
                        .toList());
        parts.forEach((name, part) -> {
            if (!part.equals(before.parts.get(name))) {
                changes.put(name, part);
            }
        });
        return Json.object(changes);
    }
}
