package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.NodeStatus;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A process whose heap is full for one moment, in any step of an acquisition or of its own repeated work. */
class MemoryShortageTest {

    private static final int STEPS = 60;

    private final VirtualTime time = new VirtualTime();
    private final UnreliableNode node = new UnreliableNode("a", time);
    private final SteppedTime memory = new SteppedTime(time) {
        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return super.schedule(delay, () -> guarded(task));
        }

        @Override
        public void repeat(Duration interval, BooleanSupplier task) {
            super.repeat(interval, () -> {
                boolean[] goesOn = {true};
                guarded(() -> goesOn[0] = task.getAsBoolean());
                return goesOn[0];
            });
        }
    };
    private final Holdfast holdfast = Holdfast.forTesting(List.of(node), memory, new Random(1));

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (OutOfMemoryError | IllegalStateException failed) {
            // As SystemTime does, after a line in the log.
        }
    }

    private void fillAt(int step) {
        memory.runAt(step, () -> {
            throw new OutOfMemoryError("in a test");
        });
    }

    static IntStream steps() {
        return IntStream.rangeClosed(1, STEPS);
    }

    @ParameterizedTest
    @MethodSource("steps")
    void acquire_memoryIsFullAtAStep_endsAndTheNextIsGranted(int step) {
        node.latency(Duration.ofMillis(2));
        CompletableFuture<Lease> first = holdfast.lock("a").acquireAsync();
        fillAt(step);
        time.advance(Duration.ofMinutes(2));
        memory.goOn();

        assertEndedAndRelease(first);
        assertNextIsGranted();
    }

    @ParameterizedTest
    @MethodSource("steps")
    void wait_memoryIsFullAtAStep_endsAndTheNextIsGranted(int step) {
        Holdfast other = Holdfast.forTesting(List.of(node), time, new Random(2));
        CompletableFuture<Lease> holder = other.lock("a").acquireAsync();
        time.advance(Duration.ofMillis(100));
        node.latency(Duration.ofMillis(2));
        CompletableFuture<Lease> first = holdfast.lock("a").acquireAsync();
        CompletableFuture<Lease> second = holdfast.lock("a").acquireAsync();
        fillAt(step);
        time.advance(Duration.ofMinutes(2));
        memory.goOn();

        assertThat(first).isDone();
        assertThat(second).isDone();
        holder.join().releaseAsync();
        assertNextIsGranted();
    }

    /** The waiter that follows has other options, so that the lock is not handed over, but released and queued for. */
    @ParameterizedTest
    @MethodSource("steps")
    void release_memoryIsFullAtAStep_theWaitersAreGranted(int step) {
        node.relayNotifications();
        node.latency(Duration.ofMillis(2));
        CompletableFuture<Lease> first = holdfast.lock("a").acquireAsync();
        time.advance(Duration.ofMillis(100));
        LockOptions options = LockOptions.builder().lease(Duration.ofSeconds(7)).build();
        CompletableFuture<Lease> second = holdfast.lock("a", options).acquireAsync();
        fillAt(step);
        guarded(() -> first.join().releaseAsync());
        advanceInterrupted();
        memory.goOn();

        assertEndedAndRelease(second);
        assertNextIsGranted();
    }

    /** The node grants the lock to the first waiter of its queue, and notifies it. */
    @ParameterizedTest
    @MethodSource("steps")
    void notification_memoryIsFullAtAStep_endsAndTheNextIsGranted(int step) {
        node.relayNotifications();
        Holdfast other = Holdfast.forTesting(List.of(node), time, new Random(2));
        CompletableFuture<Lease> holder = other.lock("a").acquireAsync();
        time.advance(Duration.ofMillis(100));
        node.latency(Duration.ofMillis(2));
        CompletableFuture<Lease> first = holdfast.lock("a").acquireAsync();
        CompletableFuture<Lease> second = holdfast.lock("a").acquireAsync();
        time.advance(Duration.ofMillis(100));
        fillAt(step);
        holder.join().releaseAsync();
        advanceInterrupted();
        memory.goOn();

        assertEndedAndRelease(first);
        time.advance(Duration.ofMinutes(1));
        assertEndedAndRelease(second);
        assertNextIsGranted();
    }

    /** No other client could end the quarantine, without which the lock would never be granted again. */
    @ParameterizedTest
    @MethodSource("steps")
    void quarantine_memoryIsFullAtAStep_ends(int step) {
        UnreliableNode fresh = UnreliableNode.guarded("a", time);
        HoldfastOptions options =
                HoldfastOptions.builder().restarts(RestartPolicy.QUARANTINE).build();
        Holdfast only = Holdfast.over(List.of(fresh), options, memory, new Random(1));
        fillAt(step);
        time.advance(Duration.ofMinutes(2));

        assertThat(only.nodes()).allMatch(NodeStatus::votes);
    }

    /** The delivery of a notification fails as a whole, as on the thread of a connection. */
    private void advanceInterrupted() {
        guarded(() -> time.advance(Duration.ofMinutes(1)));
        time.advance(Duration.ofMinutes(1));
    }

    private static void assertEndedAndRelease(CompletableFuture<Lease> request) {
        assertThat(request).isDone();
        if (!request.isCompletedExceptionally()) {
            request.join().releaseAsync();
        }
    }

    private void assertNextIsGranted() {
        CompletableFuture<Lease> next = holdfast.lock("a").acquireAsync();
        time.advance(Duration.ofMinutes(1));

        assertThat(next).isCompleted();
    }
}
