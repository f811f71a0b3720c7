package io.holdfast.redis.cluster;

import io.holdfast.redis.client.ServerAddress;
import io.holdfast.redis.connection.AddressMap;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The masters of a cluster and the slots that each one serves.
 *
 * @param ranges the ranges of slots, by the first slot of each range
 */
record SlotMap(NavigableMap<Integer, Range> ranges) {

    /** The most masters, as Redis recommends at most; a hostile server would name one for each slot. */
    static final int MOST_SERVERS = 1_000;

    private static final int LAST_SLOT = 16_383;

    static final SlotMap NONE = new SlotMap(new TreeMap<>());

    private record Range(int last, ServerAddress server) {}

    /**
     * Returns the map in the reply to {@code CLUSTER SLOTS}. Omits ranges whose slots or server are not valid.
     *
     * @param source the server that replied, whose user, password and TLS apply to all servers
     * @param addresses where the servers are reached that it names
     * @see <a href="https://redis.io/docs/latest/commands/cluster-slots/">Possible endpoints</a>
     */
    static SlotMap of(List<?> reply, ServerAddress source, AddressMap addresses) {
        NavigableMap<Integer, Range> ranges = new TreeMap<>();
        for (Object item : reply) {
            if (item instanceof List<?> range
                    && range.size() >= 3
                    && range.get(0) instanceof Long first
                    && range.get(1) instanceof Long last
                    && range.get(2) instanceof List<?> master) {
                ServerAddress server = server(master, source, addresses);
                if (server != null && 0 <= first && first <= last && last <= LAST_SLOT) {
                    ranges.put(first.intValue(), new Range(last.intValue(), server));
                }
            }
        }
        SlotMap map = new SlotMap(ranges);
        return map.servers().size() > MOST_SERVERS ? NONE : map;
    }

    /**
     * Returns the address of a master, or null if it has none. A missing or empty endpoint means the host that replied.
     */
    private static @Nullable ServerAddress server(List<?> master, ServerAddress source, AddressMap addresses) {
        if (master.size() < 2 || !(master.get(1) instanceof Long port)) {
            return null;
        }
        Object endpoint = master.get(0) == null ? "" : master.get(0);
        return endpoint instanceof String host
                ? addresses
                        .locate(source, host.isEmpty() ? source.host() : host, port)
                        .orElse(null)
                : null;
    }

    /** Returns {@code true} if the map contains a server. */
    boolean isUsable() {
        return !ranges.isEmpty();
    }

    /** Returns the master that serves the slot, or null if none is known. */
    @Nullable
    ServerAddress server(int slot) {
        var range = ranges.floorEntry(slot);
        return range == null || range.getValue().last() < slot
                ? null
                : range.getValue().server();
    }

    /** Returns the masters, each once. */
    List<ServerAddress> servers() {
        return ranges.values().stream().map(Range::server).distinct().toList();
    }
}
