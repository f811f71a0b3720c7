package io.holdfast.lettuce;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServer;
import io.holdfast.testkit.fault.FaultProxy;
import io.holdfast.time.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Tests that the threads and sockets of Lettuce end with the client. */
@Tag("server")
@Isolated("counts the threads of Lettuce in the whole process")
class LettuceConnectionThreadsTest {

    private static final Path OPEN_FILES = Path.of("/proc/self/fd");
    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, Duration.ofMinutes(1)), false, Eventually.BOUND);

    @Test
    void close_claimsPending_endsTheThreads() {
        try (RedisServer server = RedisServer.start();
                FaultProxy network = FaultProxy.to(server.uri())) {
            Holdfast client =
                    Holdfast.connect(List.of(network.uri().toString()), HoldfastOptions.DEFAULT, new LettuceNodes());
            network.hold();
            client.lock("a").acquireAsync();
            assertThat(lettuceThreads()).isPositive();

            client.close();

            eventually("the threads have ended", () -> lettuceThreads() == 0);
        }
    }

    /** The last thread completes the stage, and ends then. */
    @Test
    void freed_closedNode_completesAsTheThreadsEnd() {
        try (RedisServer server = RedisServer.start()) {
            LockNode node = new LettuceNodes()
                    .connect(List.of(NodeAddress.parse(server.uri().toString())), SETTINGS, new SystemTime())
                    .get(0);
            assertThat(lettuceThreads()).isPositive();

            node.close();

            Eventually.result(node.freed());
            eventually("the threads have ended", () -> lettuceThreads() == 0);
        }
    }

    @Test
    void close_connectedByName_leavesNoSocket() throws IOException {
        assumeThat(OPEN_FILES).isDirectory();
        try (RedisServer server = RedisServer.start()) {
            long before = sockets();
            Holdfast.connect(List.of("redis://localhost:" + server.port()), HoldfastOptions.DEFAULT, new LettuceNodes())
                    .close();

            eventually("the sockets are closed", () -> sockets() <= before);
        }
    }

    private static long sockets() throws IOException {
        try (Stream<Path> files = Files.list(OPEN_FILES)) {
            return files.filter(LettuceConnectionThreadsTest::isSocket).count();
        }
    }

    /** A file that has been closed since it was listed is no socket. */
    private static boolean isSocket(Path file) {
        try {
            return Files.readSymbolicLink(file).toString().startsWith("socket:");
        } catch (IOException closed) {
            return false;
        }
    }

    private static long lettuceThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("lettuce-") && thread.isAlive())
                .count();
    }
}
