package io.holdfast.testkit.contract;

import io.holdfast.Lease;
import io.holdfast.lease.Loss;
import io.holdfast.locks.LeaderElection;
import java.util.concurrent.atomic.AtomicInteger;

/** A candidate that counts its elections, resignations and losses. */
final class Elected implements LeaderElection.Candidate {

    final AtomicInteger elected = new AtomicInteger();
    final AtomicInteger resigned = new AtomicInteger();
    final AtomicInteger deposed = new AtomicInteger();

    @Override
    public void elected(Lease lease) {
        elected.incrementAndGet();
    }

    @Override
    public void resigned(Lease lease) {
        resigned.incrementAndGet();
    }

    @Override
    public void deposed(Loss loss) {
        deposed.incrementAndGet();
    }
}
