package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class DistinctServersTest {

    private static final String ADDRESS = "redis://10.0.0.1:7000";
    private static final Optional<RunId> RUN = RunId.of("a".repeat(40));

    private final DistinctServers servers = new DistinctServers();

    @Test
    void register_oneServerAsTwoNodes_namesTheOther() {
        assertThat(servers.register(ADDRESS, RUN)).isEmpty();

        assertThat(servers.register("redis://localhost:7000", RUN)).contains(ADDRESS);
    }

    /** Their shards have equal names, since the same servers report the same map. */
    @Test
    void register_oneClusterAsTwoNodes_namesTheOther() {
        assertThat(servers.ofCluster("redis-cluster://a").register(ADDRESS, RUN))
                .isEmpty();

        assertThat(servers.ofCluster("redis-cluster://b").register(ADDRESS, RUN))
                .contains("redis-cluster://a");
        assertThat(servers.ofCluster("redis-cluster://a").register(ADDRESS, RUN))
                .isEmpty();
    }

    @Test
    void register_shardGetsAnotherName_isOfItsCluster() {
        DistinctServers shards = servers.ofCluster("redis-cluster://a");
        assertThat(shards.register(ADDRESS, RUN)).isEmpty();

        assertThat(shards.register("redis://shard-1:7000", RUN)).isEmpty();
    }
}
