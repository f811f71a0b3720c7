package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Acquisitions of a client that reads the replies late, for example because it is busy. */
class LateRepliesTest {

    private static final Duration LATE = Duration.ofMillis(150);
    private static final Duration LONG = Duration.ofSeconds(10);

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast client = Holdfast.forTesting(List.copyOf(nodes), time, new Random(1));

    private CompletableFuture<Lease> ask(Duration limit) {
        LockOptions options = LockOptions.builder().waitLimit(limit).build();
        return client.lock("a", options).acquireAsync();
    }

    @Test
    void acquire_repliesAreLate_isGrantedByTheFirstRound() {
        nodes.forEach(node -> node.latency(LATE));
        CompletableFuture<Lease> lease = ask(LONG);

        time.advance(LATE.multipliedBy(2));

        assertThat(Completed.value(lease).isValid()).isTrue();
        assertThat(nodes.get(0).received(Claim.Action.ACQUIRE)).isOne();
    }

    /** The last round begins before the limit, and waits for replies as long as every other round. */
    @ParameterizedTest
    @ValueSource(longs = {700, 1_000, 1_300, 1_600, 2_000, 3_000, 5_000, 10_000})
    void acquire_noNodeAnswers_endsOneRoundAfterTheLimit(long limit) {
        nodes.forEach(node -> node.silent(true));
        CompletableFuture<Lease> lease = ask(Duration.ofMillis(limit));

        time.advance(Duration.ofMillis(limit + 500));

        assertThat(lease).isCompletedExceptionally();
    }

    /**
     * The votes of the first attempt are split, since the reply of a node that granted it is late. Its withdrawal takes
     * longer than the second attempt, as with a script that is sent first.
     */
    @Test
    void acquire_withdrawalIsOvertaken_findsItsOwnLockAndAsksAgain() {
        nodes.get(2).ask(Claim.acquire("a", new Owner("x"), Duration.ofHours(1), new FencingToken(2)));
        nodes.get(0).silent(true);
        nodes.forEach(node -> node.delay(Claim.Action.RELEASE));
        CompletableFuture<Lease> lease = ask(Duration.ZERO);
        time.settle();
        nodes.get(0).silent(false);
        while (nodes.get(1).received(Claim.Action.ACQUIRE) < 2 && !lease.isDone()) {
            time.advance(Duration.ofMillis(1));
        }
        time.advance(Duration.ofMillis(3));
        nodes.forEach(UnreliableNode::thaw);
        time.advance(Duration.ofSeconds(2));

        assertThat(lease).isCompleted();
        assertThat(lease.isCompletedExceptionally()).isFalse();
    }

    /**
     * The replies to the first acquisition come too late. A script that the servers do not know is sent again, so that
     * the next claim may overtake the withdrawal of the first.
     */
    @Test
    void acquire_withdrawalOfTheLastAcquisitionIsOvertaken_asksAgain() {
        CompletableFuture<Lease> unanswered = askInVain(() -> nodes.forEach(node -> node.delay(Claim.Action.RELEASE)));

        CompletableFuture<Lease> lease = ask(Duration.ZERO);
        time.advance(Duration.ofMillis(3));
        nodes.forEach(UnreliableNode::thaw);
        time.advance(Duration.ofSeconds(2));

        assertThat(Completed.failure(unanswered)).isInstanceOf(QuorumUnreachableException.class);
        assertThat(Completed.value(lease).isValid()).isTrue();
    }

    /** Each connection is lost with the withdrawal, which is repeated after a while. */
    @Test
    void acquire_withdrawalOfTheLastAcquisitionIsLost_asksAgain() {
        askInVain(() -> nodes.forEach(node -> node.loseNext(Claim.Action.RELEASE, 1)));

        CompletableFuture<Lease> lease = ask(Duration.ZERO);
        time.advance(Duration.ofSeconds(2));

        assertThat(Completed.value(lease).isValid()).isTrue();
    }

    private CompletableFuture<Lease> askInVain(Runnable beforeItsEnd) {
        nodes.forEach(node -> node.silent(true));
        beforeItsEnd.run();
        CompletableFuture<Lease> unanswered = ask(Duration.ZERO);
        time.advance(Duration.ofMillis(500));
        nodes.forEach(node -> node.silent(false));
        return unanswered;
    }
}
