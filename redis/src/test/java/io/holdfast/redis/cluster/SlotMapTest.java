package io.holdfast.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.client.ServerAddress;
import io.holdfast.redis.connection.AddressMap;
import io.holdfast.security.Credentials;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Maps that no healthy cluster sends. The contract of clusters covers the other ones, on real servers. */
class SlotMapTest {

    private static final ServerAddress SOURCE =
            new ServerAddress("host", 6379, false, new Credentials("user", "secret"), 0);

    private static SlotMap of(@Nullable Object... ranges) {
        return SlotMap.of(Arrays.asList(ranges), SOURCE, new AddressMap(Map.of()));
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
                .extracting(ServerAddress::name)
                .containsExactly("redis://host:7000", "redis://[::1]:7001");
    }
}
