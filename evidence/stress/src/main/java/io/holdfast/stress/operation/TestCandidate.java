package io.holdfast.stress.operation;

import io.holdfast.Lease;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.locks.LeaderElection;
import io.holdfast.stress.witness.Kind;
import io.holdfast.stress.witness.ObservedHold;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A candidate that reports its terms to the witness, and behaves in one of several ways when it is elected. */
public final class TestCandidate implements LeaderElection.Candidate {

    /** The time after the end of its lease within which a leader must be deposed, on a slow machine. */
    private static final long DEPOSITION_LIMIT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final long LONGEST_TERM_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The behaviors of an elected candidate. */
    public enum Behavior {
        RETURNS,
        THROWS,
        DIES,
        LEADS
    }

    private final OperationContext context;
    private final Behavior behavior;
    private final long floor;
    private final CountDownLatch withdrawal = new CountDownLatch(1);
    private @Nullable CountDownLatch deposed;
    private @Nullable Lease lease;
    private @Nullable Lease ended;
    private @Nullable ObservedHold hold;
    private boolean withdrawn;

    public TestCandidate(OperationContext context, Behavior behavior, long floor) {
        this.context = context;
        this.behavior = behavior;
        this.floor = floor;
    }

    @Override
    public void elected(Lease newLease) {
        CountDownLatch deposition = startTerm(newLease);
        if (deposition == null) {
            return;
        }
        switch (behavior) {
            case THROWS -> {
                leave();
                throw new IllegalArgumentException("a candidate that throws");
            }
            case DIES -> {
                leave();
                throw new NoClassDefFoundError("a candidate that dies");
            }
            case LEADS -> leadUntilDeposed(newLease, deposition);
            case RETURNS -> {}
        }
    }

    private synchronized @Nullable CountDownLatch startTerm(Lease newLease) {
        if (withdrawn || newLease.equals(ended)) {
            return null;
        }
        lease = newLease;
        hold = context.enter(newLease, floor);
        deposed = new CountDownLatch(1);
        return deposed;
    }

    /** Leads until it is deposed or withdrawn. */
    private void leadUntilDeposed(Lease newLease, CountDownLatch deposition) {
        long end = System.nanoTime() + LONGEST_TERM_NANOS;
        while (newLease.state().isValid() && isCandidate() && System.nanoTime() - end < 0) {
            await(deposition);
        }
        if (newLease.state() != LeaseState.LOST) {
            return;
        }
        long limit = System.nanoTime() + DEPOSITION_LIMIT_NANOS;
        while (deposition.getCount() > 0 && isCandidate()) {
            await(deposition);
            if (System.nanoTime() - limit > 0) {
                context.report(Kind.NOT_DEPOSED, newLease.toString());
                return;
            }
        }
    }

    private boolean isCandidate() {
        return withdrawal.getCount() > 0;
    }

    private static void await(CountDownLatch deposition) {
        try {
            deposition.await(1, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The end of a term may be notified before {@link #elected} has begun. */
    @Override
    public synchronized void resigned(Lease endedLease) {
        ended = endedLease;
        leave();
        if (endedLease.state() == LeaseState.RELEASED) {
            context.report(Kind.STILL_LEADS, endedLease + " was released before its leader was notified");
        }
    }

    @Override
    public synchronized void deposed(Loss loss) {
        leave();
        if (deposed != null) {
            deposed.countDown();
        }
    }

    /** Reports to the witness that it no longer leads. */
    public synchronized void leave() {
        if (hold != null) {
            hold.leave();
            hold = null;
        }
    }

    /** Ends its part in the election, which is about to be closed. */
    public void withdraw() {
        withdrawal.countDown();
        synchronized (this) {
            withdrawn = true;
            leave();
        }
    }

    /** Returns the lease of its last term. */
    public synchronized @Nullable Lease lease() {
        return lease;
    }
}
