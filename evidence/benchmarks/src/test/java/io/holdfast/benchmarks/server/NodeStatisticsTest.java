package io.holdfast.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class NodeStatisticsTest {

    @Test
    void since_scriptsAndCommands_countsWhatTheServerHasRun() {
        try (RedisServer server = RedisServer.start()) {
            NodeStatistics before = NodeStatistics.of(server);
            server.exec("EVAL", "redis.call('SET', KEYS[1], 1) return redis.call('GET', KEYS[1])", "1", "key");
            server.exec("GET", "key");

            NodeStatistics spent = NodeStatistics.of(server).since(before);

            assertThat(spent.scripts()).isEqualTo(1);
            assertThat(spent.calls()).containsEntry("set", 1L).containsEntry("get", 2L);
            assertThat(spent.writes(server)).isEqualTo(1);
            assertThat(spent.commands()).isGreaterThanOrEqualTo(4);
            assertThat(spent.scriptMicros()).isPositive();
        }
    }

    @Test
    void since_valueIsWrittenAndRead_countsItsBytesTwice() {
        try (RedisServer server = RedisServer.start()) {
            NodeStatistics before = NodeStatistics.of(server);
            server.exec("SET", "key", "x".repeat(100_000));
            server.exec("GET", "key");

            assertThat(NodeStatistics.of(server).since(before).bytes()).isGreaterThan(200_000);
        }
    }

    @Test
    void absence_ofAServer_namesTheLibraryAndThePackage() {
        assertThat(ServerKind.ETCD.absence("jetcd"))
                .isEqualTo("jetcd is left out: there is no /usr/bin/etcd; apt-get install etcd-server");
        assertThat(ServerKind.ZOOKEEPER.absence("Curator"))
                .startsWith("Curator is left out")
                .endsWith(" zookeeper");
    }
}
