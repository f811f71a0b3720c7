package io.holdfast.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitOptionsTest {

    private static final Reply HELD = new Reply.Refused(Duration.ofMinutes(1), new FencingToken(7), 0, "another");
    private static final Reply CLOSED = Reply.notSent("connection refused");
    private static final Reply WRONG_PASSWORD = Reply.unfit("the password is wrong");
    private static final Reply QUARANTINE = new Reply.Quarantined(Duration.ofSeconds(5));

    /** The wait limit of each attempt. */
    private final List<Duration> attempts = new ArrayList<>();

    /** One node that gives this reply. */
    private record Replying(Reply reply) implements LockNode {

        @Override
        public String name() {
            return "a";
        }

        @Override
        public CompletionStage<Reply> ask(Claim claim) {
            return CompletableFuture.completedFuture(reply);
        }

        @Override
        public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
            return new CompletableFuture<>();
        }

        @Override
        public void close() {}
    }

    private static HoldfastException failureOf(Reply reply) {
        VirtualTime time = new VirtualTime();
        Holdfast holdfast = Holdfast.forTesting(List.of(new Replying(reply)), time, new Random(1));
        CompletableFuture<?> tried = holdfast.lock("report").acquireAsync(Duration.ZERO);
        time.advance(Duration.ofSeconds(10));
        CompletionException failure = catchThrowableOfType(CompletionException.class, tried::join);
        return (HoldfastException) Objects.requireNonNull(failure.getCause());
    }

    private static WaitOptions waiting(long millis) {
        Optional<Duration> limit = Optional.of(Duration.ofMillis(millis)).filter(given -> !given.isNegative());
        return new WaitOptions(millis == 0, limit, 75, false);
    }

    /** Acquires with attempts that have these results; the one after them is granted. */
    private String acquire(WaitOptions waiting, Reply... replies) throws InterruptedException {
        Deque<Reply> left = new ArrayDeque<>(List.of(replies));
        return waiting.acquire(waiting.apply(LockOptions.DEFAULT), options -> {
            attempts.add(options.waitLimit());
            if (left.isEmpty()) {
                return "granted";
            }
            throw failureOf(left.remove());
        });
    }

    @ParameterizedTest
    @CsvSource({"-1, forever", "60000, 60000", "100, 100", "0, 0"})
    void apply_wait_limitsTheAttempts(long wait, String waitLimit) {
        LockOptions options = waiting(wait).apply(LockOptions.DEFAULT);

        assertThat(options.waitLimit())
                .isEqualTo(
                        waitLimit.equals("forever")
                                ? LockOptions.FOREVER
                                : Duration.ofMillis(Long.parseLong(waitLimit)));
    }

    @Test
    void acquire_held_waitsOnceAMajorityHasVoted() throws InterruptedException {
        assertThat(acquire(waiting(-1), CLOSED, HELD)).isEqualTo("granted");

        assertThat(attempts).hasSize(3).startsWith(Duration.ZERO, Duration.ZERO);
        assertThat(attempts.get(2)).isGreaterThan(Duration.ofDays(365));
    }

    /** Without a limit, an attempt has no position in the wait queues, and takes a lock that others wait for. */
    @Test
    void acquire_fair_waitsFromTheFirstAttemptOn() throws InterruptedException {
        assertThat(acquire(new WaitOptions(false, Optional.empty(), 75, true), HELD))
                .isEqualTo("granted");

        assertThat(attempts).hasSize(2).allMatch(limit -> !limit.isZero());
    }

    @Test
    void acquire_heldAndNoWait_failsAtOnce() {
        assertThatThrownBy(() -> acquire(waiting(0), HELD)).isInstanceOf(LockTimeoutException.class);

        assertThat(attempts).hasSize(1);
    }

    @Test
    void acquire_waitIsOverBeforeAServerAnswers_fails() {
        assertThatThrownBy(() -> acquire(waiting(100), CLOSED, CLOSED, CLOSED))
                .isInstanceOf(QuorumUnreachableException.class);

        // One on a slow machine, where the wait is over at the end of the first attempt.
        assertThat(attempts).hasSizeBetween(1, 2);
    }

    @Test
    void acquire_noWaitAndQuarantine_waitsForItsEnd() throws InterruptedException {
        assertThat(acquire(waiting(0), QUARANTINE)).isEqualTo("granted");
    }

    /** Waiting mends neither a wrong password nor a missing right. */
    @ParameterizedTest
    @CsvSource({"-1", "60000", "0"})
    void acquire_wrongPassword_failsAtOnce(long wait) {
        assertThatThrownBy(() -> acquire(waiting(wait), WRONG_PASSWORD)).isInstanceOf(QuorumUnreachableException.class);

        assertThat(attempts).hasSize(1);
    }
}
