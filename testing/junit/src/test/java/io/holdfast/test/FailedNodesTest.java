package io.holdfast.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.holdfast.Holdfast;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** An extension whose nodes fail leaves neither nodes nor clients behind. */
class FailedNodesTest {

    private static @Nullable LockNodes nodes;

    private static EngineExecutionResults run(TestNodes used) {
        nodes = used;
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(OneTest.class))
                .execute();
    }

    static class OneTest {

        @RegisterExtension
        final HoldfastExtension locks = new HoldfastExtension(0, servers -> Objects.requireNonNull(nodes));

        @Test
        void holdfast_works() throws Exception {
            locks.holdfast().lock("a").acquire();
        }
    }

    @Test
    void beforeEach_connectFails_closesTheNodes() {
        TestNodes unreachable = new TestNodes(true);

        run(unreachable).testEvents().assertStatistics(events -> events.failed(1));

        assertThat(unreachable.closed).isTrue();
    }

    @Test
    void afterEach_locksCannotBeListed_closesTheClientAndTheNodes() {
        TestNodes silent = new TestNodes(false);

        run(silent).testEvents().assertStatistics(events -> events.failed(1));

        assertThat(silent.closed).isTrue();
        assertThatThrownBy(() -> silent.client.lock("a").acquire()).hasMessageContaining("closed");
    }

    private static final class TestNodes implements LockNodes {

        private final SystemTime time = new SystemTime();
        private final Holdfast client =
                Holdfast.forTesting(List.of(new PlainNode(new InMemoryNode("a", time))), time, new Random(1));
        private final boolean unreachable;
        private boolean closed;

        TestNodes(boolean unreachable) {
            this.unreachable = unreachable;
        }

        @Override
        public Holdfast connect() {
            if (unreachable) {
                throw new IllegalStateException("no Redis client on the class path");
            }
            return client;
        }

        @Override
        public List<String> addresses() {
            return List.of();
        }

        @Override
        public void close() {
            closed = true;
            time.close();
        }
    }

    /** A node that no administrator can ask. */
    private static final class PlainNode extends ForwardingNode {

        PlainNode(InMemoryNode node) {
            super(node);
        }

        @Override
        public NodeAdmin admin() {
            return new NodeAdmin() {};
        }
    }
}
