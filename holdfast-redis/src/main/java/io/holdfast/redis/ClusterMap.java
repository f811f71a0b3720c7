package io.holdfast.redis;

import java.net.URI;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which master of a cluster keeps which slots.
 *
 * @param ranges by the first slot of each range
 */
record ClusterMap(NavigableMap<Integer, Range> ranges) {

    static final ClusterMap NONE = new ClusterMap(new TreeMap<>());

    private record Range(int last, URI server) {}

    /** From the answer to {@code CLUSTER SLOTS}, with user, password and scheme of this address. */
    static ClusterMap of(List<?> answer, URI address) {
        NavigableMap<Integer, Range> ranges = new TreeMap<>();
        for (Object item : answer) {
            if (item instanceof List<?> range && range.size() >= 3 && range.get(2) instanceof List<?> master) {
                Object host = master.get(0);
                if (host != null && !host.toString().isEmpty()) {
                    URI server = Address.server(address, host.toString(), String.valueOf(master.get(1)));
                    ranges.put(number(range.get(0)), new Range(number(range.get(1)), server));
                }
            }
        }
        return new ClusterMap(ranges);
    }

    private static int number(Object number) {
        return Integer.parseInt(String.valueOf(number));
    }

    boolean isUsable() {
        return !ranges.isEmpty();
    }

    /** Null: nobody keeps it. */
    @Nullable
    URI server(int slot) {
        var range = ranges.floorEntry(slot);
        return range == null || range.getValue().last() < slot
                ? null
                : range.getValue().server();
    }

    List<URI> servers() {
        return ranges.values().stream().map(Range::server).distinct().toList();
    }
}
