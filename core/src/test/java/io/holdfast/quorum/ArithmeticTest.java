package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The calculations that need no threads: drift, validity, delays, proposed fences. */
class ArithmeticTest {

    private static final Moment START = new Moment(Long.MAX_VALUE - 1_000, 1_700_000_000_000_000L);

    @Test
    void drift_ofThirtySeconds_isOnePercentAndTwoMilliseconds() {
        assertThat(new Drift(0.01).of(Duration.ofSeconds(30))).isEqualTo(Duration.ofMillis(302));
    }

    @Test
    void left_countsFromBeforeTheSend_acrossTheOverflowOfTheMonotonicClock() {
        Validity validity = Validity.of(START, Duration.ofSeconds(10), new Drift(0.01));

        assertThat(validity.left(after(Duration.ofSeconds(3)))).isEqualTo(Duration.ofMillis(6_898));
    }

    @Test
    void left_beyondTheEnd_isNegativeByTheOverrun() {
        Validity validity = Validity.of(START, Duration.ofSeconds(1), new Drift(0));

        assertThat(validity.left(after(Duration.ofSeconds(3)))).isEqualTo(Duration.ofMillis(-2_002));
    }

    /** On a suspended machine the monotonic clock stops and the wall clock does not. */
    @Test
    void left_whenOnlyTheWallClockMoved_countsTheWallClock() {
        Validity validity = Validity.of(START, Duration.ofSeconds(10), new Drift(0));
        Moment resumed = new Moment(START.nanos(), START.wallMicros() + 60_000_000);

        assertThat(validity.left(resumed)).isNegative();
    }

    @Test
    void left_whenTheWallClockIsSetBack_countsTheMonotonicClock() {
        Validity validity = Validity.of(START, Duration.ofSeconds(10), new Drift(0));
        Moment stepped = new Moment(START.nanos() + 4_000_000_000L, START.wallMicros() - 3_600_000_000L);

        assertThat(validity.left(stepped)).isEqualTo(Duration.ofMillis(5_998));
    }

    @Test
    void orLonger_shorterConfirmation_doesNotShorten() {
        Validity longer = Validity.of(START, Duration.ofSeconds(30), new Drift(0));
        Validity shorter = Validity.of(START, Duration.ofSeconds(5), new Drift(0));

        assertThat(longer.orLonger(shorter, START)).isEqualTo(longer);
        assertThat(shorter.orLonger(longer, START)).isEqualTo(longer);
    }

    @Test
    void after_manyAttempts_growsToTheLimitAndNeverExceedsIt() {
        Backoff delays = new Backoff(Duration.ofMillis(20), Duration.ofMillis(400));
        Random random = new Random(1);

        for (int attempts = 1; attempts < 200; attempts++) {
            long cap = Math.min(400, 20L << Math.min(attempts - 1, 10));
            assertThat(delays.after(attempts, random)).isPositive().isLessThanOrEqualTo(Duration.ofMillis(cap));
        }
    }

    @Test
    void after_sameAttempt_isSpreadOverTheWholeRange() {
        Backoff delays = new Backoff(Duration.ofMillis(100), Duration.ofMillis(100));
        Random random = new Random(2);
        long low = LongStream.range(0, 1_000)
                .filter(i -> delays.after(1, random).toMillis() < 50)
                .count();

        assertThat(low).isBetween(400L, 600L);
    }

    @Test
    void propose_sameMoment_growsByTwo() {
        FenceProposer proposer = new FenceProposer();

        FencingToken first = proposer.propose(START, 0);
        FencingToken second = proposer.propose(START, 0);

        assertThat(first.value()).isEqualTo(START.wallMicros());
        assertThat(second.value()).isEqualTo(first.value() + 2);
    }

    @Test
    void propose_afterAGreaterFenceWasObserved_isAboveItAndEven() {
        FenceProposer proposer = new FenceProposer();
        FencingToken seen = new FencingToken(START.wallMicros() + 1_000_001);

        proposer.observed(seen);

        assertThat(proposer.propose(START, 0).isAbove(seen)).isTrue();
        assertThat(proposer.propose(START, 0).value() % 2).isZero();
    }

    @Test
    void propose_afterTheWallClockWentBack_stillGrows() {
        FenceProposer proposer = new FenceProposer();
        FencingToken before = proposer.propose(START, 0);

        Moment earlier = new Moment(START.nanos(), START.wallMicros() - 3_600_000_000L);

        assertThat(proposer.propose(earlier, 0).isAbove(before)).isTrue();
    }

    @Test
    void propose_aheadOfTheNodes_usesTheirClock() {
        FenceProposer proposer = new FenceProposer();
        proposer.propose(START, 0);
        FencingToken present = new FencingToken(START.wallMicros() - 3_600_000_000L);

        proposer.rejectedAsAhead(present, START);

        assertThat(proposer.propose(START, 0).value()).isEqualTo(present.value() + 2);
        assertThat(proposer.propose(after(Duration.ofSeconds(1)), 0).value()).isEqualTo(present.value() + 1_000_000);
    }

    private static Moment after(Duration duration) {
        return new Moment(START.nanos() + duration.toNanos(), START.wallMicros() + duration.toNanos() / 1_000);
    }
}
