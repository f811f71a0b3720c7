package io.holdfast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Reply;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;

/** A base for contracts in which attempts contend for one lock of a node. */
abstract class AttemptsContract {

    final TestedNode on;
    final String resource = "contract:" + UUID.randomUUID();
    long firstFence;

    AttemptsContract(TestedNode on) {
        this.on = on;
    }

    @BeforeEach
    void readClock() {
        firstFence = on.clockMicros() & ~1L;
    }

    final Attempt attempt(int number) {
        return Attempt.fresh(on.node(), resource, fence(number));
    }

    /** Returns even numbers, because a release seals with the next odd one. */
    final FencingToken fence(int number) {
        return new FencingToken(firstFence + 2L * number);
    }

    final void assertFree() {
        assertThat(attempt(1).timeLeftOfHolder()).isZero();
    }

    static void assertGranted(Reply reply) {
        assertThat(reply).isEqualTo(Reply.GRANTED);
    }

    static void assertStale(Reply reply, FencingToken fence) {
        assertThat(reply).isEqualTo(new Reply.Stale(fence));
    }
}
