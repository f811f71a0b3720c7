package io.holdfast.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.time.VirtualTime;
import org.junit.jupiter.api.Test;

class FenceProposerTest {

    private final VirtualTime time = new VirtualTime();
    private final FenceProposer proposer = new FenceProposer();

    /** A hostile server may reply it; an exception here would leave the waiter without an outcome. */
    @Test
    void propose_greatestFenceWasObserved_staysInRange() {
        proposer.observed(FencingToken.GREATEST);

        FencingToken proposed = proposer.propose(time.now(), 256);

        assertThat(proposed.plus(256)).isLessThan(FencingToken.GREATEST);
        assertThat(proposed.value() % 2).isZero();
        assertThat(proposer.propose(time.now(), 0)).isLessThan(FencingToken.GREATEST);
    }

    @Test
    void propose_majorityStatesThePresent_returnsToIt() {
        proposer.observed(FencingToken.GREATEST);
        proposer.propose(time.now(), 0);
        FencingToken present = new FencingToken(time.now().wallMicros());

        proposer.rejectedAsAhead(present, time.now());

        assertThat(proposer.propose(time.now(), 0).value()).isBetween(present.value(), present.value() + 4);
    }

    @Test
    void plus_anyStep_endsAtTheGreatest() {
        assertThat(new FencingToken(7).plus(Long.MAX_VALUE)).isEqualTo(FencingToken.GREATEST);
    }
}
