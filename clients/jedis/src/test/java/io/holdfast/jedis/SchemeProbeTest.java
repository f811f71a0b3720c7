package io.holdfast.jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.redis.client.RedisConnection;
import io.holdfast.redis.client.ServerAddress;
import io.holdfast.time.Moment;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The search for a wrong scheme at a server that ends the first connection at once, and answers the next one slowly.
 */
class SchemeProbeTest {

    /** The header of a handshake message of 16 KB. */
    private static final byte[] TLS_HEADER = {22, 3, 3, 64, 0};

    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, Duration.ofMinutes(1)), false, Duration.ofSeconds(2));

    private final SystemTime system = new SystemTime();
    private final CountDownLatch dripping = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ServerSocket server = bound();

    private static ServerSocket bound() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void start() {
        system.execute(this::serve);
    }

    @AfterEach
    void end() throws IOException {
        ended.countDown();
        server.close();
        system.close();
    }

    private void serve() {
        try {
            server.accept().close();
            try (Socket probed = server.accept()) {
                OutputStream out = probed.getOutputStream();
                out.write(TLS_HEADER);
                do {
                    out.write(0);
                    dripping.countDown();
                } while (!ended.await(100, TimeUnit.MILLISECONDS));
            }
        } catch (IOException | InterruptedException e) {
            // The client or the test has ended.
        }
    }

    private CompletableFuture<RedisConnection> connect(Time time) {
        ServerAddress address = new ServerAddress("127.0.0.1", server.getLocalPort(), false, null, 0);
        return new JedisConnector(address, SETTINGS, SETTINGS.security(), time)
                .connect()
                .toCompletableFuture();
    }

    /** Otherwise the server keeps the thread, and the node is not connected again, for as long as it likes. */
    @Test
    void connect_endlessHandshake_isEndedByTheTimer() throws Exception {
        LateTime time = new LateTime();
        CompletableFuture<RedisConnection> connection = connect(time);
        dripping.await();
        time.limited.await();
        assertThat(connection).isNotDone();

        time.due.forEach(Runnable::run);

        assertThatThrownBy(() -> connection.get()).hasMessageContaining("Unexpected end of stream");
    }

    /** Without an outcome, no further attempt to connect would follow. */
    @Test
    void connect_probeFails_reportsTheFirstFailure() {
        CompletableFuture<RedisConnection> connection = connect(new LateTime() {
            @Override
            public Timer schedule(Duration delay, Runnable task) {
                if (!due.isEmpty()) {
                    throw new OutOfMemoryError("no room for another timer");
                }
                return super.schedule(delay, task);
            }
        });

        assertThatThrownBy(() -> connection.get()).hasMessageContaining("Unexpected end of stream");
    }

    /** Collects the tasks of timers. */
    private class LateTime implements Time {

        final Queue<Runnable> due = new ConcurrentLinkedQueue<>();
        /** Counts the timer of the connection and that of the probe. */
        final CountDownLatch limited = new CountDownLatch(2);

        @Override
        public Moment now() {
            return system.now();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            due.add(task);
            limited.countDown();
            return () -> {};
        }

        @Override
        public void execute(Runnable task) {
            system.execute(task);
        }
    }
}
