package io.holdfast.cli.lock;

import io.holdfast.Lease;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.history.PastRun;
import io.holdfast.cli.history.PastRuns;
import io.holdfast.cli.output.HolderNote;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The success that counts for {@code --once-per}, as an administrator states or forgets it. The lock is held meanwhile,
 * so that no run reads or writes the record.
 */
public final class StatedSuccess {

    /** Enough for the longest period, because the one of the job is unknown. */
    private static final Duration KEEP = Durations.times(Period.LONGEST, 2);

    private static final String PROGRAM = "holdfast mark";

    private final LockHistory history;
    private final String name;
    private final long fence;

    /** Reads the record of a lease, which has been granted just now. */
    public StatedSuccess(Lease lease) {
        this.history = new LockHistory(lease);
        this.name = lease.resource();
        this.fence = lease.fencingToken().value();
    }

    /** Returns the success on record; empty if there is none, or if no server that answers knows of it. */
    public Optional<Instant> recorded() throws InterruptedException {
        repeat(() -> {
            history.read();
            return history.isLatest();
        });
        return history.history()
                .orElseThrow(() -> new Failure(
                        ExitCode.INTERNAL,
                        "another version of Holdfast has recorded the runs of '" + name + "'; use that version"))
                .mark()
                .map(PastRuns.Mark::start);
    }

    /** Records a success at this time, and a run that explains it. Returns whether a majority has confirmed it. */
    public boolean mark(Instant now) throws InterruptedException {
        PastRun.Runner runner = new PastRun.Runner(
                System.getProperty("user.name"),
                HolderNote.host(),
                ProcessHandle.current().pid(),
                PROGRAM);
        PastRun run = new PastRun(
                fence, now, Duration.ZERO, runner, Optional.of(new PastRun.Outcome(now, ExitCode.OK, false)));
        return rewrite(known -> known.keptFor(KEEP).with(run).withMark(Optional.of(new PastRuns.Mark(now, ""))));
    }

    /** Removes the success from the record. Returns whether a majority has confirmed it. */
    public boolean forget() throws InterruptedException {
        return rewrite(known -> known.withMark(Optional.empty()));
    }

    private boolean rewrite(UnaryOperator<PastRuns> change) throws InterruptedException {
        return repeat(() -> history.rewrite(change));
    }

    private interface Step {
        boolean isDone();
    }

    /** Repeats a step until it succeeds, for a limited time: servers may be slow for a moment. */
    private static boolean repeat(Step step) throws InterruptedException {
        long start = System.nanoTime();
        while (!step.isDone()) {
            if (System.nanoTime() - start > LockHistory.RETRY_LIMIT.toNanos()) {
                return false;
            }
            Thread.sleep(LockHistory.RETRY_PAUSE.toMillis());
        }
        return true;
    }
}
