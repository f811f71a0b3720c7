package io.holdfast.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Maps that no healthy cluster sends. The contract of clusters covers the other ones, on real servers. */
class SlotMapTest {

    private static final URI CLUSTER = URI.create("redis-cluster://user:secret@host:6379");
    private static final URI SOURCE = URI.create("redis://user:secret@host:6379");

    private static SlotMap of(@Nullable Object... ranges) {
        return SlotMap.of(Arrays.asList(ranges), CLUSTER, SOURCE);
    }

    private static List<Object> range(long slot, @Nullable Object host, Object port) {
        return List.of(slot, slot, Arrays.asList(host, port));
    }

    @Test
    void of_moreServersThanAClusterHas_isUnusable() {
        Object[] ranges = IntStream.range(0, SlotMap.MOST_SERVERS + 1)
                .mapToObj(slot -> range(slot, "host-" + slot, 6_379L))
                .toArray();

        assertThat(of(ranges).isUsable()).isFalse();
        assertThat(of(Arrays.copyOf(ranges, SlotMap.MOST_SERVERS)).servers()).hasSize(SlotMap.MOST_SERVERS);
    }

    @Test
    void of_addressesThatAreNone_areOmitted() {
        SlotMap map = of(
                range(1, "evil@other", 6_379L),
                range(2, "a b", 6_379L),
                range(3, "a", -1L),
                range(4, "a", 99_999L),
                range(5, "a/../b", 6_379L),
                range(6, "a", "port"),
                List.of(7L),
                "slots",
                null,
                range(8, null, 7_000L),
                range(9, "::1", 7_001L));

        assertThat(map.servers())
                .extracting(URI::toString)
                .containsExactly("redis://user:secret@host:7000", "redis://user:secret@[::1]:7001");
    }
}
