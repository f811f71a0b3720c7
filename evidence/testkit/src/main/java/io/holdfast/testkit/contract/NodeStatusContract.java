package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.NodeStatus.State;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A contract for the node states that a client reports without a round trip, on real servers. */
public abstract class NodeStatusContract {

    private static final HoldfastOptions DURABLE =
            PatientOptions.CLIENT.toBuilder().restarts(RestartPolicy.DURABLE).build();

    @Test
    void nodes_serverIsRestarted_reportOutageAndRecovery() {
        try (RedisServers servers = RedisServers.start(3);
                Holdfast client = Holdfast.connect(servers.addresses(), DURABLE)) {
            eventually("all nodes vote", () -> states(client).stream().allMatch(state -> state == State.VOTES));

            servers.get(1).kill();
            eventually("the outage is known", () -> states(client).get(1) == State.UNREACHABLE);
            NodeStatus down = client.nodes().get(1);
            assertThat(down.cause()).isNotBlank();
            assertThat(down.name()).contains(Integer.toString(servers.get(1).port()));

            servers.get(1).restartEmpty();
            eventually("the node is back", () -> states(client).get(1) == State.VOTES);
        }
    }

    @Test
    void nodes_newServers_areInQuarantine() {
        try (RedisServers servers = RedisServers.start(3)) {
            servers.forEach(server -> server.exec("DEL", "holdfast:marker"));
            try (Holdfast client = Holdfast.connect(servers.addresses(), PatientOptions.CLIENT)) {
                eventually(
                        "all nodes are in quarantine",
                        () -> states(client).stream().allMatch(state -> state == State.QUARANTINED));
                assertThat(client.nodes().get(0).duration()).isPositive();
            }
        }
    }

    @Test
    void nodes_serverEvictsKeys_areRejectedWithTheReason() {
        try (RedisServers servers = RedisServers.start(1)) {
            servers.get(0).exec("CONFIG", "SET", "maxmemory", "100mb");
            servers.get(0).exec("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            try (Holdfast client = Holdfast.connect(servers.addresses(), DURABLE)) {
                client.lock("a").acquireAsync();

                eventually("the node is rejected", () -> states(client).get(0) == State.REFUSED);
                assertThat(client.nodes().get(0).cause()).contains("evict");
            }
        }
    }

    private static List<State> states(Holdfast client) {
        return client.nodes().stream().map(NodeStatus::state).toList();
    }
}
