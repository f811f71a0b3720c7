package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fencing tokens with wrong clocks and expired fences. */
class FencingTest {

    private static final Duration A_CENTURY = Duration.ofDays(36_525);
    private static final Duration LIFE_OF_A_FENCE = Duration.ofMinutes(30);

    private final VirtualTime time = new VirtualTime();

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void acquire_clientsClockIsACenturyAhead_isGrantedByTheNodesClock(int size) {
        List<InMemoryNode> nodes = nodes(size);
        Holdfast future = Holdfast.forTesting(nodes, new WrongClock(time, A_CENTURY), new Random(1));

        Lease lease = granted(future);

        assertThat(lease.fencingToken().value()).isBetween(clockMicros(), clockMicros() + 10_000_000);
    }

    @Test
    void acquire_afterAClientWhoseClockIsACenturyAhead_hasAGreaterTokenInOneRound() {
        List<InMemoryNode> nodes = nodes(3);
        Holdfast future = Holdfast.forTesting(nodes, new WrongClock(time, A_CENTURY), new Random(1));
        Holdfast present = Holdfast.forTesting(nodes, time, new Random(2));
        Lease before = granted(future);
        before.releaseAsync();
        time.settle();
        time.advance(Duration.ofMillis(1));

        Lease after = granted(present);

        assertThat(after.fencingToken().isAbove(before.fencingToken())).isTrue();
        assertThat(after.fencingToken().value()).isEqualTo(clockMicros());
    }

    @Test
    void acquire_clientsClockIsAnHourBehind_isGrantedAboveKnownFences() {
        List<InMemoryNode> nodes = nodes(3);
        Holdfast past = Holdfast.forTesting(nodes, new WrongClock(time, Duration.ofHours(-1)), new Random(1));
        Lease before = granted(Holdfast.forTesting(nodes, time, new Random(2)));
        before.releaseAsync();
        time.settle();

        Lease after = granted(past);

        assertThat(after.fencingToken().isAbove(before.fencingToken())).isTrue();
    }

    @Test
    void acquire_afterTheFenceExpired_isStillAboveIt() {
        InMemoryNode node = new InMemoryNode("n", time);
        FencingToken old = token();
        assertThat(acquire(node, "a", old)).isEqualTo(Reply.GRANTED);

        time.advance(LIFE_OF_A_FENCE);

        assertThat(node.fenceCount()).isZero();
        assertThat(acquire(node, "a", old)).isInstanceOf(Reply.Stale.class);
        assertThat(acquire(node, "a", token())).isEqualTo(Reply.GRANTED);
    }

    /** No fence expires before the floor is above it, whether a turn falls between two claims or on one of them. */
    @ParameterizedTest
    @ValueSource(ints = {30, 290, 599, 600, 601, 899, 1199, 1201, 1799})
    void acquire_atAnyPace_keepsFencesUntilTheFloorIsAboveThem(int paceSeconds) {
        InMemoryNode node = new InMemoryNode("n", time);
        FencingToken first = token();
        assertThat(acquire(node, "first", first)).isEqualTo(Reply.GRANTED);
        for (int i = 0; i < 300; i++) {
            time.advance(Duration.ofSeconds(paceSeconds));
            assertThat(acquire(node, "other" + i, token())).isEqualTo(Reply.GRANTED);
            assertThat(acquire(node, "first", first)).isInstanceOfAny(Reply.Stale.class, Reply.Refused.class);
            assertThat(node.fenceCount()).isLessThanOrEqualTo(2 + (int) LIFE_OF_A_FENCE.toSeconds() / paceSeconds);
        }
    }

    /**
     * No turn is due while the fence of a lock is kept and its fences are small. The fence is still rejected after it
     * expires.
     */
    @Test
    void acquire_fenceExpiresBeforeAnyTurn_isStillRejected() {
        InMemoryNode node = new InMemoryNode("n", time);
        assertThat(acquire(node, "future", new FencingToken(clockMicros() + 9_000_000)))
                .isEqualTo(Reply.GRANTED);
        FencingToken low = token();
        assertThat(acquire(node, "a", low)).isEqualTo(Reply.GRANTED);
        for (int i = 0; i < 40; i++) {
            time.advance(Duration.ofMinutes(1));
            assertThat(acquire(node, "a", low)).isInstanceOf(Reply.Stale.class);
        }
    }

    /**
     * The first request after the expiry of the fence is the release of an old claim. Its seal must not be taken as the
     * fence.
     */
    @Test
    void acquire_afterALateReleaseOfAnExpiredFence_isStale() {
        InMemoryNode node = new InMemoryNode("n", time);
        Claim old = Claim.acquire("a", new Owner("old"), Duration.ofSeconds(1), token());
        time.advance(Duration.ofSeconds(10));
        assertThat(acquire(node, "a", token())).isEqualTo(Reply.GRANTED);
        time.advance(LIFE_OF_A_FENCE);

        node.ask(old.release());

        FencingToken between = new FencingToken(old.fence().value() + 1_000_000);
        assertThat(acquire(node, "a", between)).isInstanceOf(Reply.Stale.class);
    }

    @Test
    void acquire_nodesClockWasSetBack_keepsAllFences() {
        InMemoryNode node = new InMemoryNode("n", time);
        acquire(node, "other", token());
        time.stepWallClock(Duration.ofMinutes(-65));
        FencingToken low = token();
        assertThat(acquire(node, "a", low)).isEqualTo(Reply.GRANTED);
        for (int i = 0; i < 200; i++) {
            time.advance(Duration.ofMinutes(1));
            assertThat(acquire(node, "a", low)).isInstanceOf(Reply.Stale.class);
        }
    }

    /** Acquires the lock in at most two rounds without a pause. */
    private Lease granted(Holdfast client) {
        CompletableFuture<Lease> lease = client.lock("a").acquireAsync();
        time.settle();
        return Completed.value(lease);
    }

    private Reply acquire(InMemoryNode node, String resource, FencingToken fence) {
        Owner owner = Owner.fresh(new SecureRandom());
        return Completed.value(node.ask(Claim.acquire(resource, owner, Duration.ofSeconds(1), fence)));
    }

    private FencingToken token() {
        return new FencingToken(clockMicros());
    }

    private long clockMicros() {
        return time.now().wallMicros();
    }

    private List<InMemoryNode> nodes(int size) {
        return IntStream.range(0, size)
                .mapToObj(i -> new InMemoryNode("n" + i, time))
                .toList();
    }
}
