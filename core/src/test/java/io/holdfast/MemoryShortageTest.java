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

/** A process whose heap is full for one moment, in any step of an acquisition. */
class MemoryShortageTest {

    private static final int STEPS = 60;

    private final VirtualTime time = new VirtualTime();
    private final UnreliableNode node = new UnreliableNode("a", time);
    private final Holdfast holdfast = Holdfast.forTesting(List.of(node), new ShortOfMemory(), new Random(1));
    /** The number of steps until one fails; zero: none does. */
    private int left;

    /** Counts the readings of the clock and the timers that are set, since each step needs one of them. */
    private final class ShortOfMemory extends ForwardingTime {

        ShortOfMemory() {
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
            return time.schedule(delay, () -> guarded(task));
        }

        private void step() {
            if (left > 0 && --left == 0) {
                throw new OutOfMemoryError("in a test");
            }
        }

        private static void guarded(Runnable task) {
            try {
                task.run();
            } catch (OutOfMemoryError | IllegalStateException failed) {
                // As SystemTime does, after a line in the log.
            }
        }
    }

    static IntStream steps() {
        return IntStream.rangeClosed(1, STEPS);
    }

    @ParameterizedTest
    @MethodSource("steps")
    void acquire_memoryIsFullAtAStep_endsAndTheNextIsGranted(int step) {
        node.latency(Duration.ofMillis(2));
        CompletableFuture<Lease> first = holdfast.lock("a").acquireAsync();
        left = step;
        time.advance(Duration.ofMinutes(2));
        left = 0;

        assertThat(first).isDone();
        if (!first.isCompletedExceptionally()) {
            first.join().releaseAsync();
        }
        CompletableFuture<Lease> second = holdfast.lock("a").acquireAsync();
        time.advance(Duration.ofMinutes(1));

        assertThat(second).isCompleted();
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
        left = step;
        time.advance(Duration.ofMinutes(2));
        left = 0;

        assertThat(first).isDone();
        assertThat(second).isDone();
        holder.join().releaseAsync();
        CompletableFuture<Lease> third = holdfast.lock("a").acquireAsync();
        time.advance(Duration.ofMinutes(1));

        assertThat(third).isCompleted();
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
        left = step;
        ShortOfMemory.guarded(() -> first.join().releaseAsync());
        advanceInterrupted();
        left = 0;

        assertThat(second).isDone();
        if (!second.isCompletedExceptionally()) {
            second.join().releaseAsync();
        }
        CompletableFuture<Lease> third = holdfast.lock("a").acquireAsync();
        time.advance(Duration.ofMinutes(1));

        assertThat(third).isCompleted();
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
        left = step;
        holder.join().releaseAsync();
        advanceInterrupted();
        left = 0;

        assertThat(first).isDone();
        if (!first.isCompletedExceptionally()) {
            first.join().releaseAsync();
        }
        time.advance(Duration.ofMinutes(1));
        assertThat(second).isDone();
        if (!second.isCompletedExceptionally()) {
            second.join().releaseAsync();
        }
        CompletableFuture<Lease> third = holdfast.lock("a").acquireAsync();
        time.advance(Duration.ofMinutes(1));

        assertThat(third).isCompleted();
    }

    /** The delivery of a notification fails as a whole, as on the thread of a connection. */
    private void advanceInterrupted() {
        ShortOfMemory.guarded(() -> time.advance(Duration.ofMinutes(1)));
        time.advance(Duration.ofMinutes(1));
    }
}
