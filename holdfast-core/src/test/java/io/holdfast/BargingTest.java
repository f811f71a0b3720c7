package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Who is called within a process may be passed by those who come along, for a moment. */
class BargingTest {

    private static final String LOCK = "a";
    private static final LockOptions OPTIONS = LockOptions.builder()
            .lease(Duration.ofMinutes(1))
            .waitLimit(Duration.ofHours(1))
            .build();
    private static final Duration LONGER_THAN_A_MOMENT = Duration.ofNanos(600_000);

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast client = Holdfast.forTesting(nodes, time, new Random(1));
    /** One of the process holds the lock, and another waits for it, who will be called. */
    private final Lease first = granted();

    private final CompletableFuture<Lease> called = queued();

    @Test
    void acquire_beforeTheCalledOneComes_passesItWithoutARoundTrip() {
        nodes.forEach(UnreliableNode::freeze);

        first.releaseAsync();
        CompletableFuture<Lease> passing = ask();
        time.settle();
        assertThat(passing).isCompleted();
        assertThat(called).isNotCompleted();

        passing.join().releaseAsync();
        time.settle();
        assertThat(called).isCompleted();
        assertThat(List.of(first, passing.join(), called.join()).stream()
                        .map(lease -> lease.fencingToken().value())
                        .toList())
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void release_ofThePassingOne_leavesTheLockToTheCalledOneBeforeTheNext() {
        CompletableFuture<Lease> next = queued();
        first.releaseAsync();
        CompletableFuture<Lease> passing = ask();
        passing.thenAccept(Lease::releaseAsync);
        time.settle();

        assertThat(called).isCompleted();
        assertThat(next).isNotCompleted();
    }

    @Test
    void acquire_afterAMomentOfPassing_waitsForTheCalledOne() {
        first.releaseAsync();
        CompletableFuture<Lease> passing = ask();
        time.advance(LONGER_THAN_A_MOMENT);

        passing.join().releaseAsync();
        CompletableFuture<Lease> late = ask();
        time.settle();

        assertThat(called).isCompleted();
        assertThat(late).isNotCompleted();
    }

    @Test
    void acquire_withOtherTerms_doesNotPass() {
        first.releaseAsync();
        CompletableFuture<Lease> other = client.lock(
                        LOCK, OPTIONS.toBuilder().lease(Duration.ofSeconds(7)).build())
                .acquireAsync();
        time.settle();

        assertThat(called).isCompleted();
        assertThat(other).isNotCompleted();
    }

    @Test
    void cancel_ofTheCalledOne_leavesTheLockToTheNext() {
        CompletableFuture<Lease> next = queued();
        nodes.forEach(UnreliableNode::freeze);

        first.releaseAsync();
        called.cancel(true);
        time.settle();

        assertThat(next).isCompleted();
    }

    @Test
    void cancel_ofTheCalledOneWhomNobodyFollows_givesTheLockUp() {
        first.releaseAsync();
        called.cancel(true);
        time.settle();

        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNull());
    }

    @Test
    void cancel_ofOneWhoWasPassed_leavesTheLockToWhoeverPassedIt() {
        first.releaseAsync();
        CompletableFuture<Lease> passing = ask();

        called.cancel(true);
        time.settle();
        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNotNull());

        passing.join().releaseAsync();
        time.settle();
        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNull());
    }

    /** The passing lease is held for longer than a lock may be handed over; whoever was called waits on the nodes then, as all do. */
    @Test
    void release_longAfterPassing_theCalledOneGetsItsTurn() {
        first.releaseAsync();
        CompletableFuture<Lease> passing = ask();
        time.advance(Duration.ofMillis(100));

        passing.join().releaseAsync();
        time.advance(Duration.ofMillis(1));

        assertThat(called).isCompleted();
    }

    @Test
    void close_whileOneIsCalled_givesTheLockUp() {
        first.releaseAsync();
        client.close();
        time.settle();

        assertThatThrownBy(called::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .hasMessageContaining("closed");
        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf(LOCK)).isNull());
    }

    @Test
    void acquire_waitLimitOfOneWhoWasPassed_countsFromTheBeginning() {
        called.cancel(true);
        CompletableFuture<Lease> limited = client.lock(
                        LOCK,
                        OPTIONS.toBuilder().waitLimit(Duration.ofSeconds(10)).build())
                .acquireAsync();
        time.advance(Duration.ofMillis(6));
        first.releaseAsync();
        CompletableFuture<Lease> passing = ask();
        time.settle();
        assertThat(passing).isCompleted();

        time.advance(Duration.ofSeconds(10).minusMillis(6));
        assertThat(limited).isCompletedExceptionally();
    }

    @Test
    void acquire_manyThreads_oneHoldsItAtATime() throws Exception {
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
        assertThat(lease).isCompleted();
        return lease.join();
    }

    private static List<InMemoryNode> nodes(Time clock) {
        return List.of(new InMemoryNode("a", clock), new InMemoryNode("b", clock), new InMemoryNode("c", clock));
    }
}
