package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Local hand-over with barging: for a moment, a new waiter may overtake the notified one. */
class BargingTest {

    private static final String LOCK = "a";
    private static final LockOptions OPTIONS = LockOptions.builder()
            .lease(Duration.ofMinutes(1))
            .waitLimit(Duration.ofHours(1))
            .build();
    private static final Duration LONGER_THAN_THE_BARGING_LIMIT = Duration.ofNanos(600_000);

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast client = Holdfast.forTesting(nodes, time, new Random(1));
    /** One lease of the client holds the lock, and another waiter will be notified. */
    private final Lease first = granted();

    private final CompletableFuture<Lease> notified = queued();

    @Test
    void acquire_beforeTheNotifiedWaiter_bargesWithoutARoundTrip() {
        nodes.forEach(UnreliableNode::freeze);

        first.releaseAsync();
        CompletableFuture<Lease> barging = ask();
        time.settle();
        assertThat(barging).isCompleted();
        assertThat(notified).isNotCompleted();

        Completed.value(barging).releaseAsync();
        time.settle();
        assertThat(List.of(first, Completed.value(barging), Completed.value(notified)).stream()
                        .map(lease -> lease.fencingToken().value())
                        .toList())
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void release_ofTheBargingLease_offersTheLockToTheNotifiedWaiter() {
        CompletableFuture<Lease> next = queued();
        first.releaseAsync();
        CompletableFuture<Lease> barging = ask();
        barging.thenAccept(Lease::releaseAsync);
        time.settle();

        assertThat(notified).isCompleted();
        assertThat(next).isNotCompleted();
    }

    @Test
    void release_ofALaterLease_isHandedOverOnlyWithinTwentyMillisecondsOfTheGrantByTheNodes() {
        CompletableFuture<Lease> next = queued();
        time.advance(Duration.ofMillis(15));
        first.releaseAsync();
        time.settle();
        assertThat(Completed.value(notified).owner()).isEqualTo(first.owner());

        time.advance(Duration.ofMillis(15));
        Completed.value(notified).releaseAsync();
        time.advance(Duration.ofSeconds(1));
        assertThat(Completed.value(next).owner()).as("the nodes grant it").isNotEqualTo(first.owner());
    }

    @Test
    void acquire_afterTheBargingLimit_waitsForTheNotifiedWaiter() {
        first.releaseAsync();
        CompletableFuture<Lease> barging = ask();
        time.advance(LONGER_THAN_THE_BARGING_LIMIT);

        Completed.value(barging).releaseAsync();
        CompletableFuture<Lease> late = ask();
        time.settle();

        assertThat(notified).isCompleted();
        assertThat(late).isNotCompleted();
    }

    @Test
    void acquire_withOtherParameters_doesNotBarge() {
        first.releaseAsync();
        CompletableFuture<Lease> other = client.lock(
                        LOCK, OPTIONS.toBuilder().lease(Duration.ofSeconds(7)).build())
                .acquireAsync();
        time.settle();

        assertThat(notified).isCompleted();
        assertThat(other).isNotCompleted();
    }

    @Test
    void cancel_ofTheNotifiedWaiter_offersTheLockToTheNext() {
        CompletableFuture<Lease> next = queued();
        nodes.forEach(UnreliableNode::freeze);

        first.releaseAsync();
        notified.cancel(true);
        time.settle();

        assertThat(next).isCompleted();
    }

    @Test
    void cancel_ofTheLastNotifiedWaiter_releasesTheLock() {
        first.releaseAsync();
        notified.cancel(true);
        time.settle();

        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNull());
    }

    @Test
    void cancel_ofAnOvertakenWaiter_keepsTheBargingLease() {
        first.releaseAsync();
        CompletableFuture<Lease> barging = ask();

        notified.cancel(true);
        time.settle();
        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNotNull());

        Completed.value(barging).releaseAsync();
        time.settle();
        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNull());
    }

    /** The barging lease is held beyond the limit of hand-overs; then the notified waiter contends on the nodes. */
    @Test
    void release_longAfterBarging_servesTheNotifiedWaiter() {
        first.releaseAsync();
        CompletableFuture<Lease> barging = ask();
        time.advance(Duration.ofMillis(100));

        Completed.value(barging).releaseAsync();
        time.advance(Duration.ofMillis(1));

        assertThat(notified).isCompleted();
    }

    @Test
    void close_duringAnOffer_releasesTheLock() {
        first.releaseAsync();
        client.close();
        time.settle();

        assertThat(Completed.failure(notified)).hasMessageContaining("closed");
        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNull());
    }

    @Test
    void acquire_overtakenWaiter_keepsItsWaitLimit() {
        notified.cancel(true);
        CompletableFuture<Lease> limited = client.lock(
                        LOCK,
                        OPTIONS.toBuilder().waitLimit(Duration.ofSeconds(10)).build())
                .acquireAsync();
        time.advance(Duration.ofMillis(6));
        first.releaseAsync();
        CompletableFuture<Lease> barging = ask();
        time.settle();
        assertThat(barging).isCompleted();

        time.advance(Duration.ofSeconds(10).minusMillis(6));
        assertThat(limited).isCompletedExceptionally();
    }

    @Test
    void acquire_manyThreads_haveOneHolderAtATime() throws Exception {
        int threads = 8;
        int holds = 300;
        List<Long> tokens = new ArrayList<>();
        ExecutorService workers = Executors.newFixedThreadPool(threads);
        try (SystemTime clock = new SystemTime();
                Holdfast threaded = Holdfast.forTesting(nodes(clock), clock, new Random(1))) {
            Callable<Void> work = () -> {
                for (int i = 0; i < holds; i++) {
                    try (Lease lease = threaded.lock(LOCK, OPTIONS).acquire()) {
                        tokens.add(lease.fencingToken().value());
                    }
                }
                return null;
            };
            for (Future<Void> worker : workers.invokeAll(Collections.nCopies(threads, work))) {
                worker.get();
            }
        } finally {
            workers.shutdownNow();
        }

        assertThat(tokens).hasSize(threads * holds).isSorted().doesNotHaveDuplicates();
    }

    private CompletableFuture<Lease> ask() {
        return client.lock(LOCK, OPTIONS).acquireAsync();
    }

    private CompletableFuture<Lease> queued() {
        CompletableFuture<Lease> lease = ask();
        time.settle();
        assertThat(lease).isNotCompleted();
        return lease;
    }

    private Lease granted() {
        CompletableFuture<Lease> lease = ask();
        time.settle();
        return Completed.value(lease);
    }

    private static List<InMemoryNode> nodes(Time clock) {
        return List.of(new InMemoryNode("a", clock), new InMemoryNode("b", clock), new InMemoryNode("c", clock));
    }
}
