package io.holdfast.redis.cluster;

import io.holdfast.redis.client.RedisAddress;
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
record SlotMap(NavigableMap<Integer, Range> ranges) {

    static final SlotMap NONE = new SlotMap(new TreeMap<>());

    private record Range(int last, URI server) {}

    /**
     * From the answer to {@code CLUSTER SLOTS}, with user, password and scheme of the address. Ranges whose server has no name that
     * can be connected to are left out.
     *
     * @param asked the server that answered
     * @see <a href="https://redis.io/docs/latest/commands/cluster-slots/">What an endpoint may be</a>
     */
    static SlotMap of(List<?> answer, URI address, URI asked) {
        NavigableMap<Integer, Range> ranges = new TreeMap<>();
        for (Object item : answer) {
            if (item instanceof List<?> range
                    && range.size() >= 3
                    && range.get(0) instanceof Long first
                    && range.get(1) instanceof Long last
                    && range.get(2) instanceof List<?> master) {
                URI server = server(master, address, asked);
                if (server != null) {
                    ranges.put(first.intValue(), new Range(last.intValue(), server));
                }
            }
        }
        return new SlotMap(ranges);
    }

    /** An endpoint that is missing or empty means the host that was asked; {@code ?} and the like mean none. */
    private static @Nullable URI server(List<?> master, URI address, URI asked) {
        if (master.size() < 2 || !(master.get(1) instanceof Long port)) {
            return null;
        }
        Object endpoint = master.get(0);
        String host = endpoint == null || endpoint.toString().isEmpty() ? asked.getHost() : endpoint.toString();
        try {
            URI server = RedisAddress.server(address, host, port.toString());
            return server.getHost() == null ? null : server;
        } catch (IllegalArgumentException noHost) {
            return null;
        }
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
