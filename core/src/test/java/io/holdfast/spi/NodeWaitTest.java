package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Acquirable;
import io.holdfast.Completed;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.UnreliableNode;
import io.holdfast.node.Claim;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeWaitTest {

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(7));
    private final Acquirable<Lease> lock = NodeWait.of(holdfast.lock("job"));

    @Test
    void tryAcquire_nodesAreBackInTime_isGranted() {
        nodes.forEach(UnreliableNode::down);
        CompletableFuture<Optional<Lease>> lease = lock.tryAcquireAsync();
        time.advance(Duration.ofMillis(1_500));
        assertThat(lease).isNotDone();

        nodes.forEach(UnreliableNode::up);
        time.advance(Duration.ofSeconds(1));

        assertThat(lease).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    void tryAcquire_nodesStayDown_failsAfterTwoSeconds() {
        nodes.forEach(UnreliableNode::down);
        CompletableFuture<Optional<Lease>> lease = lock.tryAcquireAsync();
        time.advance(Duration.ofMillis(1_900));
        assertThat(lease).isNotDone();

        time.advance(Duration.ofMillis(300));

        assertThat(Completed.failure(lease)).isInstanceOf(QuorumUnreachableException.class);
    }

    @Test
    void tryAcquire_held_endsAtOnce() {
        holdfast.lock("job").acquireAsync();
        time.settle();

        CompletableFuture<Optional<Lease>> lease = lock.tryAcquireAsync();
        time.settle();

        assertThat(lease).isCompletedWithValue(Optional.empty());
    }

    @Test
    void tryAcquire_nodesInQuarantine_isGrantedAtItsEnd() {
        List<UnreliableNode> guarded = IntStream.range(0, 3)
                .mapToObj(i -> UnreliableNode.guarded("guarded-" + i, time))
                .toList();
        Holdfast client = Holdfast.over(guarded, HoldfastOptions.DEFAULT, time, new Random(1));
        CompletableFuture<Optional<Lease>> lease =
                NodeWait.of(client.lock("job")).tryAcquireAsync();
        time.advance(Duration.ofSeconds(65));
        assertThat(lease).isNotDone();

        time.advance(Duration.ofSeconds(5));

        assertThat(lease).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    void tryAcquire_cancelledWhileNodesAreDown_asksNoMore() {
        nodes.forEach(UnreliableNode::down);
        CompletableFuture<Optional<Lease>> lease = lock.tryAcquireAsync();
        time.advance(Duration.ofMillis(500));
        lease.cancel(true);
        long asked = nodes.get(0).received(Claim.Action.ACQUIRE);
        nodes.forEach(UnreliableNode::up);

        time.advance(Duration.ofSeconds(1));

        assertThat(nodes.get(0).received(Claim.Action.ACQUIRE)).isEqualTo(asked);
    }

    @Test
    void acquire_limitAboveZero_waitsForAHolderAsTheLockDoes() {
        holdfast.lock("job").acquireAsync();
        time.settle();
        CompletableFuture<Lease> lease = lock.acquireAsync(Duration.ofSeconds(5));
        time.advance(Duration.ofSeconds(4));
        assertThat(lease).isNotDone();

        time.advance(Duration.ofSeconds(2));

        assertThat(Completed.failure(lease)).isInstanceOf(LockTimeoutException.class);
    }

    @Test
    void acquire_clientIsClosedInAPause_failsAtOnce() {
        nodes.forEach(UnreliableNode::down);
        CompletableFuture<Lease> lease = lock.acquireAsync(
                LockOptions.DEFAULT.toBuilder().waitLimit(Duration.ZERO).build());
        time.advance(Duration.ofMillis(500));
        holdfast.close();

        time.settle();

        assertThat(Completed.failure(lease)).isInstanceOf(IllegalStateException.class);
    }
}
