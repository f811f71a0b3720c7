package io.holdfast.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.benchmarks.contestant.Contestant;
import io.holdfast.benchmarks.contestant.Library;
import io.holdfast.servers.Eventually;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The servers of rivals start, exclude, and leave nothing behind. Tests of what is not installed are skipped. */
@Tag("server")
@Tag("evidence")
class LockServersTest {

    @ParameterizedTest
    @EnumSource(names = {"HOLDFAST_DURABLE", "CURATOR", "JETCD"})
    void acquire_heldByAnotherClient_waitsForTheRelease(Library library) throws Exception {
        assumeThat(library.kind().isInstalled()).isTrue();
        try (Deployment deployment = Deployment.start(List.of(library.kind()), 1);
                Contestant holder = library.connect(deployment);
                Contestant other = library.connect(deployment)) {
            AtomicBoolean released = new AtomicBoolean();
            CompletableFuture<Void> asking = new CompletableFuture<>();
            Runnable release = holder.acquire("lock");
            CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> {
                asking.complete(null);
                return wasReleased(other, released);
            });
            asking.join();
            // A waiter that does not wait has the lock by then.
            for (int i = 0; i < 20; i++) {
                holder.acquire("another").run();
            }
            released.set(true);
            release.run();

            assertThat(waiting.join()).isTrue();
        }
    }

    /** Acquires the lock, and returns whether the other client had released it by then. */
    private static boolean wasReleased(Contestant contestant, AtomicBoolean released) {
        try {
            Runnable release = contestant.acquire("lock");
            boolean late = released.get();
            release.run();
            return late;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ZOOKEEPER", "ETCD"})
    void close_runningServers_endsThem(ServerKind kind) {
        assumeThat(kind.isInstalled()).isTrue();
        LockServers servers = kind.start(1);
        URI server = servers.uris().get(0);
        assertThat(isListening(server)).isTrue();

        servers.close();

        Eventually.eventually(server + " is gone", () -> !isListening(server));
    }

    private static boolean isListening(URI server) {
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }
}
