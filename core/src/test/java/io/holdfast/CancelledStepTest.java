package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

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
    private final SteppedTime steps = new SteppedTime(time) {
        @Override
        public Timer schedule(Duration delay, Runnable task) {
            Timer timer = super.schedule(delay, task);
            return () -> {
                step();
                timer.cancel();
            };
        }
    };
    private final Holdfast client = Holdfast.forTesting(nodes, steps, new Random(1));
    private final Holdfast other = Holdfast.forTesting(nodes, time, new Random(2));

    /** To cancel a timer is a step as well, and so is each claim. */
    CancelledStepTest() {
        for (UnreliableNode node : nodes) {
            node.relayNotifications();
            node.latency(LATENCY);
            node.beforeEach(steps::step);
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

        steps.runAt(step, () -> waiting.cancel(true));

        assertLeftFree(held, waiting);
    }

    @ParameterizedTest
    @MethodSource("steps")
    void cancel_whileAnotherClientReleases_leavesTheLockFree(int step) {
        Lease held = acquired(other.lock(LOCK).acquireAsync());
        CompletableFuture<Lease> waiting = client.lock(LOCK).acquireAsync();
        time.advance(Duration.ofMillis(300));

        steps.runAt(step, () -> waiting.cancel(true));

        assertLeftFree(held, waiting);
    }

    @ParameterizedTest
    @MethodSource("steps")
    void cancel_whileTheWaitBegins_leavesTheLockFree(int step) {
        Lease held = acquired(other.lock(LOCK).acquireAsync());
        CompletableFuture<Void> cancelled = new CompletableFuture<>();
        steps.runAt(step, () -> cancelled.complete(null));
        CompletableFuture<Lease> waiting = client.lock(LOCK).acquireAsync();
        cancelled.thenRun(() -> waiting.cancel(true));
        time.advance(Duration.ofMillis(100));
        steps.goOn();

        assertLeftFree(held, waiting);
    }

    private CompletableFuture<Lease> waitWithOtherOptions() {
        return client.lock(
                        LOCK, LockOptions.builder().lease(Duration.ofSeconds(7)).build())
                .acquireAsync();
    }

    private void assertLeftFree(Lease held, CompletableFuture<Lease> waiting) {
        held.releaseAsync();
        time.advance(Duration.ofMillis(20));
        steps.goOn();
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
