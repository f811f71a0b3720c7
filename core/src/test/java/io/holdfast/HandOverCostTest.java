package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts the claims and the round trips of each hand-over of a lock that clients hold in turns. */
class HandOverCostTest {

    private static final String LOCK = "a";
    private static final Duration LATENCY = Duration.ofMillis(1);
    private static final Duration ROUND_TRIP = LATENCY.multipliedBy(2);
    private static final Duration HOLD = Duration.ofMillis(5);
    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final int MEASURED = 200;

    private static final LockOptions OPTIONS =
            LockOptions.builder().waitLimit(LockOptions.FOREVER).build();

    private final VirtualTime time = new VirtualTime();
    private final List<Integer> holders = new ArrayList<>();
    private final List<Duration> handOvers = new ArrayList<>();
    private long releasedNanos;

    private List<UnreliableNode> nodes(int count) {
        List<UnreliableNode> nodes = UnreliableNode.several(count, time);
        nodes.forEach(UnreliableNode::relayNotifications);
        nodes.forEach(node -> node.latency(LATENCY));
        return nodes;
    }

    /** Adds a client that acquires, holds and releases the lock again and again. */
    private void contend(List<UnreliableNode> nodes, int number, Time clock) {
        Holdfast client = Holdfast.forTesting(List.<LockNode>copyOf(nodes), clock, new Random(number));
        acquire(client.lock(LOCK, OPTIONS), number);
    }

    private void acquire(DistributedLock lock, int number) {
        lock.acquireAsync().thenAccept(lease -> {
            holders.add(number);
            handOvers.add(Duration.ofNanos(time.now().nanos() - releasedNanos));
            time.schedule(HOLD, () -> {
                releasedNanos = time.now().nanos();
                lease.releaseAsync().thenAccept(done -> acquire(lock, number));
            });
        });
    }

    private void measure(List<UnreliableNode> nodes) {
        time.advance(WARM_UP);
        nodes.forEach(node -> node.received().clear());
        holders.clear();
        handOvers.clear();
        time.advance(HOLD.plus(ROUND_TRIP).multipliedBy(MEASURED));
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "1, 3", "1, 5", "3, 2", "3, 3", "3, 5", "5, 2", "5, 3", "5, 5"})
    void acquire_clientsTakeTurns_eachHandOverCostsOneRoundTripAndTwoClaims(int nodeCount, int clients) {
        List<UnreliableNode> nodes = nodes(nodeCount);
        for (int i = 0; i < clients; i++) {
            contend(nodes, i, time);
        }

        measure(nodes);

        assertThat(handOvers).hasSize(MEASURED).containsOnly(ROUND_TRIP);
        assertThat(holders.subList(clients, MEASURED)).isEqualTo(holders.subList(0, MEASURED - clients));
        assertThat(nodes).allSatisfy(node -> {
            assertThat(node.received(Claim.Action.ACQUIRE)).isEqualTo(MEASURED);
            assertThat(node.received(Claim.Action.RELEASE)).isEqualTo(MEASURED);
        });
    }

    /** Its first claim cannot stand, as others have proposed greater fences: it claims again at once. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void acquire_clockOfOneClientIsBehind_eachHandOverCostsOneRoundTrip(int clients) {
        List<UnreliableNode> nodes = nodes(3);
        contend(nodes, 0, new WrongClock(time, Duration.ofSeconds(-10)));
        for (int i = 1; i < clients; i++) {
            contend(nodes, i, time);
        }

        measure(nodes);

        assertThat(handOvers).hasSize(MEASURED).containsOnly(ROUND_TRIP);
    }
}
