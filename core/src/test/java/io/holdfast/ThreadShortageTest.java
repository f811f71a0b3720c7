package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.time.ForwardingTime;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A process that cannot start a thread for a moment. */
class ThreadShortageTest {

    private static final Duration MAX_LEASE = Duration.ofSeconds(60);

    private final VirtualTime time = new VirtualTime();
    private boolean hasThreads = true;

    /** A quarantine ends even if there is no thread for its listener. */
    @Test
    void onQuarantine_noThreadForTheListener_quarantineStillEnds() {
        List<UnreliableNode> nodes = IntStream.range(0, 3)
                .mapToObj(i -> UnreliableNode.guarded("node-" + i, time))
                .toList();
        hasThreads = false;
        Holdfast client = Holdfast.over(
                nodes, HoldfastOptions.builder().maxLease(MAX_LEASE).build(), new ShortOfThreads(), new Random(1));
        client.onEvent(news -> {});
        time.settle();
        hasThreads = true;

        time.advance(Duration.ofSeconds(70));

        CompletableFuture<Lease> lease = client.lock("a").acquireAsync();
        time.advance(Duration.ofSeconds(1));
        assertThat(lease).isCompleted();
    }

    private final class ShortOfThreads extends ForwardingTime {

        ShortOfThreads() {
            super(time);
        }

        @Override
        public void execute(Runnable task) {
            if (!hasThreads) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            time.execute(task);
        }
    }
}
