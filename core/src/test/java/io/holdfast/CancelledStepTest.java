package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.time.ForwardingTime;
import io.holdfast.time.Moment;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A wait that another thread cancels in any step of it: the nodes reserve nothing for a client that does not wait. */
class CancelledStepTest {

    private static final String LOCK = "a";
    private static final int STEPS = 60;
    private static final Duration LATENCY = Duration.ofMillis(2);

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast client = Holdfast.forTesting(nodes, new Steps(), new Random(1));
    private final Holdfast other = Holdfast.forTesting(nodes, time, new Random(2));
    /** The number of steps until the action runs; zero: never. */
    private int left;

    private Runnable action = () -> {};

    CancelledStepTest() {
        for (UnreliableNode node : nodes) {
            node.relayNotifications();
            node.latency(LATENCY);
            node.beforeEach(this::step);
        }
    }

    /** Counts readings of the clock, and timers that are set or cancelled; the nodes count the claims. */
    private final class Steps extends ForwardingTime {

        Steps() {
            super(time);
        }

        @Override
        public Moment now() {
            step();
            return time.now();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            step();
            Timer timer = time.schedule(delay, task);
            return () -> {
                step();
                timer.cancel();
            };
        }
    }

    private void step() {
        if (left > 0 && --left == 0) {
            action.run();
        }
    }

    static IntStream steps() {
        return IntStream.rangeClosed(1, STEPS);
    }

    @ParameterizedTest
    @MethodSource("steps")
    void cancel_whileThisClientReleases_leavesTheLockFree(int step) {
        Lease held = acquired(client.lock(LOCK).acquireAsync());
        CompletableFuture<Lease> waiting = waitWithOtherOptions();
        time.advance(LATENCY.multipliedBy(2));

        cancelAt(step, waiting);
        held.releaseAsync();
        time.advance(Duration.ofMillis(20));

        assertLeftFreeBy(waiting);
    }

    @ParameterizedTest
    @MethodSource("steps")
    void cancel_whileAnotherClientReleases_leavesTheLockFree(int step) {
        Lease held = acquired(other.lock(LOCK).acquireAsync());
        CompletableFuture<Lease> waiting = client.lock(LOCK).acquireAsync();
        time.advance(Duration.ofMillis(300));

        cancelAt(step, waiting);
        held.releaseAsync();
        time.advance(Duration.ofMillis(20));

        assertLeftFreeBy(waiting);
    }

    @ParameterizedTest
    @MethodSource("steps")
    void cancel_whileTheWaitBegins_leavesTheLockFree(int step) {
        Lease held = acquired(other.lock(LOCK).acquireAsync());
        CompletableFuture<Lease> waiting = new CompletableFuture<>();
        left = step;
        action = () -> waiting.complete(null);
        CompletableFuture<Lease> begun = client.lock(LOCK).acquireAsync();
        waiting.thenRun(() -> begun.cancel(true));
        time.advance(Duration.ofMillis(100));
        left = 0;
        held.releaseAsync();
        time.advance(Duration.ofMillis(20));

        assertLeftFreeBy(begun);
    }

    private void cancelAt(int step, CompletableFuture<Lease> waiting) {
        left = step;
        action = () -> waiting.cancel(true);
    }

    private CompletableFuture<Lease> waitWithOtherOptions() {
        return client.lock(
                        LOCK, LockOptions.builder().lease(Duration.ofSeconds(7)).build())
                .acquireAsync();
    }

    private void assertLeftFreeBy(CompletableFuture<Lease> waiting) {
        left = 0;
        if (!waiting.isCompletedExceptionally()) {
            acquired(waiting).releaseAsync();
            time.advance(Duration.ofMillis(20));
        }
        assertThat(nodes).allSatisfy(node -> {
            assertThat(node.ownerOf(LOCK)).isNull();
            assertThat(node.node().waitQueue(LOCK)).isEmpty();
            assertThat(node.node().reservedFor(LOCK)).isNull();
        });
    }

    private Lease acquired(CompletableFuture<Lease> future) {
        time.advance(Duration.ofMillis(20));
        return Completed.value(future);
    }
}
