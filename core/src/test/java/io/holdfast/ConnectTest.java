package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lease.LeaseState;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.Time;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The choice of the Redis client. */
class ConnectTest {

    private static final HoldfastOptions OPTIONS =
            HoldfastOptions.builder().restarts(RestartPolicy.UNSAFE_IMMEDIATE).build();

    /** Supports one scheme, and connects to nothing. */
    private static final class Client implements NodeProvider {

        @Override
        public boolean supports(String scheme) {
            return scheme.equals("test");
        }

        @Override
        public List<LockNode> connect(List<NodeAddress> addresses, NodeSettings parameters, Time time) {
            return addresses.stream()
                    .<LockNode>map(
                            address -> new InMemoryNode(address.hosts().get(0).name(), time))
                    .toList();
        }
    }

    @Test
    void connect_withAClient_usesIt() throws InterruptedException {
        try (Holdfast holdfast = Holdfast.connect(List.of("test://a", "test://b", "test://c"), OPTIONS, new Client());
                Lease lease = holdfast.lock("x").acquire()) {
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
            assertThat(holdfast.admin().status("x").nodes())
                    .extracting(NodeAnswer::node)
                    .containsExactly("a", "b", "c");
        }
    }

    @Test
    void connect_unknownScheme_namesTheClients() {
        assertThatThrownBy(() -> Holdfast.connect(List.of("test://a", "redis://b"), OPTIONS, new Client()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The 2nd address has an unknown scheme")
                .hasMessageContaining("the schemes are redis://");
    }

    @Test
    void connect_noClientOnTheClassPath_namesTheArtifactToAdd() {
        assertThatThrownBy(() -> Holdfast.connect("redis://b"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("add the artifact io.holdfast:holdfast-lettuce or io.holdfast:holdfast-jedis");
    }
}
