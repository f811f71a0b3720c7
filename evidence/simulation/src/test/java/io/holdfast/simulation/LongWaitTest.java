package io.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A client logs for which locks it has waited for long; {@code LongWaitsTest} has the rest. */
class LongWaitTest {

    private static final Logger LOGGER = Logger.getLogger("io.holdfast.Holdfast.waits");
    private static final LockOptions PATIENT =
            LockOptions.builder().waitLimit(LockOptions.FOREVER).build();

    private final VirtualTime time = new VirtualTime();
    private final List<String> lines = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            lines.add(line.getLevel() + " " + line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    private List<InMemoryNode> nodes(Function<String, InMemoryNode> node) {
        return Stream.of("a", "b", "c").map(node).toList();
    }

    private Holdfast client(String name, List<InMemoryNode> nodes, RestartPolicy restarts) {
        HoldfastOptions options =
                HoldfastOptions.builder().restarts(restarts).name(name).build();
        return Holdfast.over(nodes, options, time, new Random(name.hashCode()));
    }

    private void waitForOrders(Holdfast client) {
        client.lock("orders", PATIENT).acquireAsync();
        time.advance(Duration.ofSeconds(41));
    }

    @BeforeEach
    void listen() {
        LOGGER.setUseParentHandlers(false);
        LOGGER.setLevel(Level.INFO);
        LOGGER.addHandler(handler);
    }

    @AfterEach
    void unlisten() {
        LOGGER.removeHandler(handler);
        LOGGER.setUseParentHandlers(true);
        LOGGER.setLevel(null);
    }

    @Test
    void acquire_waitsForAHolder_logsItsName() {
        List<InMemoryNode> nodes = nodes(name -> new InMemoryNode(name, time));
        client("holder@host", nodes, RestartPolicy.DURABLE)
                .lock("orders", PATIENT)
                .acquireAsync();
        time.settle();

        waitForOrders(client("waiter@host", nodes, RestartPolicy.DURABLE));

        assertThat(lines)
                .containsExactly("INFO A request has waited for 'orders' for more than 30 s; it is held by holder@host,"
                        + " pid " + ProcessHandle.current().pid());
    }

    @Test
    void acquire_waitsForNodes_logsTheirReplies() {
        List<InMemoryNode> nodes = nodes(name -> InMemoryNode.guarded(name, time));

        waitForOrders(client("waiter@host", nodes, RestartPolicy.QUARANTINE));

        assertThat(lines)
                .singleElement()
                .asString()
                .startsWith("INFO A request has waited for 'orders' for more than 30 s; too few nodes vote [a: ");
    }
}
