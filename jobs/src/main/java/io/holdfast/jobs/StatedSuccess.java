package io.holdfast.jobs;

import io.holdfast.Lease;
import io.holdfast.record.LockRecord;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The success that counts for the period of a job, as an administrator states or forgets it. The lock is held
 * meanwhile, and no run reads or writes the record.
 *
 * <p>Used by one thread. Each method blocks for one round in general, and for up to 10 s while too few nodes answer. An
 * interrupt does not end the wait; it stays set.
 */
public final class StatedSuccess {

    /** Enough for the longest period, because the one of the job is unknown. */
    private static final Duration KEEP = Durations.times(JobPeriod.LONGEST, 2);

    private final HistoryStore store;
    private final String job;
    private final long fence;
    private final InstantSource clock;

    /**
     * Creates the success of the job whose lease has been granted just now.
     *
     * @param clock states the present moment
     */
    public StatedSuccess(Lease lease, InstantSource clock) {
        this.store = new HistoryStore(lease);
        this.job = lease.resource();
        this.fence = lease.fencingToken().value();
        this.clock = clock;
    }

    /**
     * Reads the start of the success on record. The other methods require that.
     *
     * @return empty if there is none, or if no node that answers knows of it
     * @throws IllegalStateException if another version has recorded the runs in a format that this one does not know
     */
    public Optional<Instant> recorded() {
        store.join(store.repeat(() -> store.read().thenApply(LockRecord::isLatest)));
        return store.history()
                .orElseThrow(() -> new IllegalStateException(JobHistory.unreadable(job)))
                .mark()
                .map(JobHistory.Mark::start);
    }

    /**
     * Records a success now, and a run that explains it.
     *
     * @param runner the process that states it
     * @return {@code true} if a majority of the nodes has confirmed it
     */
    public boolean mark(JobRun.Runner runner) {
        Instant now = clock.instant();
        JobRun run =
                new JobRun(fence, now, Duration.ZERO, runner, Optional.of(JobRun.Outcome.ofExitCode(now, 0, false)));
        return rewrite(known -> known.keptFor(KEEP).with(run).withMark(Optional.of(new JobHistory.Mark(now, ""))));
    }

    /**
     * Removes the success from the record, and how often the job should run, which its next run may state again.
     *
     * @return {@code true} if a majority of the nodes has confirmed it
     */
    public boolean forget() {
        return rewrite(known -> known.withMark(Optional.empty()).expectingNothing());
    }

    private boolean rewrite(UnaryOperator<JobHistory> change) {
        return store.join(store.repeat(() -> store.rewrite(change)));
    }
}
