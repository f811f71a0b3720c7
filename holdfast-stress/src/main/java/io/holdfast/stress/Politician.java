package io.holdfast.stress;

import io.holdfast.Lease;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.locks.LeaderElection;
import io.holdfast.stress.witness.Kind;
import io.holdfast.stress.witness.Stay;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A candidate that reports to the witness when it leads, and behaves in one of several ways then. */
final class Politician implements LeaderElection.Candidate {

    /** How long after the end of its lease a leader waits for the news, on a machine that is busy. */
    private static final long NEWS_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long LONGEST_TERM_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What a candidate does when it is elected. */
    enum Manner {
        RETURNS,
        THROWS,
        DIES,
        STAYS
    }

    private final Scene scene;
    private final Manner manner;
    private final long floor;
    private final CountDownLatch over = new CountDownLatch(1);
    private @Nullable CountDownLatch deposed;
    private @Nullable Lease lease;
    private @Nullable Lease ended;
    private @Nullable Stay stay;
    private boolean out;

    Politician(Scene scene, Manner manner, long floor) {
        this.scene = scene;
        this.manner = manner;
        this.floor = floor;
    }

    @Override
    public void elected(Lease newLease) {
        CountDownLatch news = begin(newLease);
        if (news == null) {
            return;
        }
        switch (manner) {
            case THROWS -> {
                leave();
                throw new IllegalArgumentException("a candidate that throws");
            }
            case DIES -> {
                leave();
                throw new NoClassDefFoundError("a candidate that dies");
            }
            case STAYS -> stayUntilDeposed(newLease, news);
            case RETURNS -> {}
        }
    }

    private synchronized @Nullable CountDownLatch begin(Lease newLease) {
        if (out || newLease.equals(ended)) {
            return null;
        }
        lease = newLease;
        stay = scene.enter(newLease, floor);
        deposed = new CountDownLatch(1);
        return deposed;
    }

    /** Until it has been deposed, or the one who started the election has ended it. */
    private void stayUntilDeposed(Lease newLease, CountDownLatch news) {
        long end = System.nanoTime() + LONGEST_TERM_NANOS;
        while (newLease.state().isValid() && isWanted() && System.nanoTime() - end < 0) {
            await(news);
        }
        if (newLease.state() != LeaseState.LOST) {
            return;
        }
        long late = System.nanoTime() + NEWS_NANOS;
        while (news.getCount() > 0 && isWanted()) {
            await(news);
            if (System.nanoTime() - late > 0) {
                scene.report(Kind.NOT_DEPOSED, newLease.toString());
                return;
            }
        }
    }

    private boolean isWanted() {
        return over.getCount() > 0;
    }

    private static void await(CountDownLatch news) {
        try {
            news.await(1, TimeUnit.MILLISECONDS);
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
            scene.report(Kind.STILL_LEADS, endedLease + " was released before its leader was notified");
        }
    }

    @Override
    public synchronized void deposed(Loss loss) {
        leave();
        if (deposed != null) {
            deposed.countDown();
        }
    }

    /** It does not lead from now on, as far as the witness is concerned. */
    synchronized void leave() {
        if (stay != null) {
            stay.leave();
            stay = null;
        }
    }

    /** It has nothing more to do with the election, which is about to be closed. */
    void retire() {
        over.countDown();
        synchronized (this) {
            out = true;
            leave();
        }
    }

    /** The lease of its last term. */
    synchronized @Nullable Lease lease() {
        return lease;
    }
}
