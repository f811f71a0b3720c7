package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.LeaseState;
import io.holdfast.node.Claim;
import io.holdfast.node.Claim.Action;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The repair of nodes that lose the key of a held lock: with the next renewal, and never after its release. */
@Execution(ExecutionMode.CONCURRENT)
class RepairTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration RENEWAL = LEASE.dividedBy(3).plusSeconds(1);
    private static final Duration QUARANTINE = Duration.ofSeconds(34);
    private static final HoldfastOptions GUARDED =
            HoldfastOptions.builder().maxLease(LEASE).build();
    private static final HoldfastOptions UNSAFE_IMMEDIATE =
            GUARDED.toBuilder().restarts(RestartPolicy.UNSAFE_IMMEDIATE).build();
    private static final LockOptions LOCK =
            LockOptions.builder().lease(LEASE).waitLimit(Duration.ofDays(1)).build();

    private final VirtualTime time = new VirtualTime();
    private List<UnreliableNode> nodes = UnreliableNode.several(3, time);

    @ParameterizedTest
    @CsvSource({"0, false", "1, false", "3, false", "1, true", "3, true"})
    void renewal_nodesAreRestartedOneByOne_keepsTheLockOnAll(int waiters, boolean fair) {
        nodes = Stream.of("a", "b", "c")
                .map(name -> UnreliableNode.guarded(name, time))
                .toList();
        LockOptions options = LOCK.toBuilder().fair(fair).build();
        Holdfast holder = client(GUARDED, 0);
        time.advance(QUARANTINE);
        Lease lease = granted(holder, options);
        List<CompletableFuture<Lease>> waiting = IntStream.rangeClosed(1, waiters)
                .mapToObj(i -> client(GUARDED, i).lock("r", options).acquireAsync())
                .toList();
        time.advance(Duration.ofSeconds(5));

        for (int round = 0; round < 2; round++) {
            for (UnreliableNode node : nodes) {
                node.node().restart(false);
                time.advance(QUARANTINE.plus(RENEWAL));
                assertHeldOnAll(lease);
            }
        }

        lease.releaseAsync();
        time.advance(Duration.ofSeconds(1));
        assertThat(waiting.stream().filter(CompletableFuture::isDone)).hasSize(Math.min(1, waiters));
        waiting.stream()
                .filter(CompletableFuture::isDone)
                .forEach(next -> assertThat(Completed.value(next).fencingToken().isAbove(lease.fencingToken()))
                        .isTrue());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void renewal_keyIsDeletedWhileAnotherWaits_setsItAgain(boolean shared) {
        Holdfast holder = client(UNSAFE_IMMEDIATE, 0);
        DistributedLock lock = holder.lock("r", LOCK);
        Lease lease = granted(shared ? lock.shared() : lock);
        client(UNSAFE_IMMEDIATE, 1).lock("r", LOCK).acquireAsync();
        time.advance(Duration.ofSeconds(2));
        InMemoryNode node = nodes.get(1).node();

        node.evict("r");
        time.advance(RENEWAL);

        assertThat(node.ownerOf("r")).isNotNull().isEqualTo(nodes.get(0).ownerOf("r"));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }

    @Test
    void repair_nodeHasAGreaterFloor_proposesAboveItAtOnce() {
        Holdfast holder = client(UNSAFE_IMMEDIATE, 0);
        Lease lease = granted(holder, LOCK);
        UnreliableNode node = nodes.get(2);
        node.node().evict("r");
        node.delay(Action.REPAIR);
        time.advance(RENEWAL);
        client(UNSAFE_IMMEDIATE, 1)
                .lock("r", LOCK.toBuilder().waitLimit(Duration.ZERO).build())
                .acquireAsync();
        time.settle();

        node.thaw();
        time.settle();

        assertThat(node.ownerOf("r")).isEqualTo(lease.owner());
        assertThat(node.received(Action.REPAIR)).isEqualTo(2);
    }

    @Test
    void release_overtakesARepair_coversIt() {
        UnreliableNode node = nodes.get(2);
        Lease lease = heldWithARepairUnderWay(client(UNSAFE_IMMEDIATE, 0), node);

        lease.releaseAsync();
        time.settle();
        node.thaw();
        time.settle();

        assertFree(node);
    }

    /** The release that queues the waiter is lost on one node; the release that removes it arrives first. */
    @Test
    void release_afterAnotherWaiterOfTheClient_coversARepair() {
        nodes.forEach(UnreliableNode::enableNotifications);
        Holdfast client = client(UNSAFE_IMMEDIATE, 0);
        UnreliableNode node = nodes.get(2);
        Lease lease = heldWithARepairUnderWay(client, node);
        CompletableFuture<Lease> next = client.lock("r", LOCK).acquireAsync();
        time.advance(Duration.ofMillis(100));
        node.loseNext(Action.RELEASE, 1);

        lease.releaseAsync();
        time.settle();
        next.cancel(true);
        time.settle();
        node.thaw();
        time.settle();

        assertThat(node.received())
                .filteredOn(claim -> claim.action() == Action.RELEASE)
                .extracting(Claim::requeued)
                .containsExactly(true, false);
        assertFree(node);
    }

    /** The client that attaches a lease does not know the earlier repairs. */
    @Test
    void release_ofAnAttachedLease_coversEarlierRepairs() throws InterruptedException {
        UnreliableNode node = nodes.get(2);
        Lease lease = heldWithARepairUnderWay(client(UNSAFE_IMMEDIATE, 0), node);
        DetachedLease handle = lease.detach();
        Lease resumed = client(UNSAFE_IMMEDIATE, 1).attach(handle, LOCK);

        resumed.releaseAsync();
        time.settle();
        node.thaw();
        time.settle();

        assertFree(node);
    }

    @Test
    void renewal_leaseWasReleased_sendsNoRepair() {
        UnreliableNode node = nodes.get(2);
        node.latency(Duration.ofMillis(10));
        Lease lease = granted(client(UNSAFE_IMMEDIATE, 0), LOCK);
        time.advance(Duration.ofSeconds(1));
        node.node().evict("r");
        lease.extendAsync(LEASE);
        time.advance(Duration.ofMillis(15));

        lease.releaseAsync();
        time.advance(Duration.ofSeconds(1));

        assertThat(node.received(Action.REPAIR)).isZero();
    }

    private Lease heldWithARepairUnderWay(Holdfast client, UnreliableNode node) {
        Lease lease = granted(client, LOCK);
        node.node().evict("r");
        node.delay(Action.REPAIR);
        time.advance(RENEWAL);
        assertThat(node.received(Action.REPAIR)).isEqualTo(1);
        return lease;
    }

    private void assertHeldOnAll(Lease lease) {
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(nodes).allSatisfy(node -> assertThat(node.ownerOf("r")).isEqualTo(lease.owner()));
    }

    private static void assertFree(UnreliableNode node) {
        assertThat(node.ownerOf("r")).isNull();
    }

    private Holdfast client(HoldfastOptions options, int number) {
        return Holdfast.over(nodes, options, time, new Random(number));
    }

    private Lease granted(Holdfast client, LockOptions options) {
        return granted(client.lock("r", options));
    }

    private Lease granted(DistributedLock lock) {
        CompletableFuture<Lease> lease = lock.acquireAsync();
        time.settle();
        return Completed.value(lease);
    }
}
