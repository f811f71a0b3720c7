package io.holdfast.cli.lock;

import io.holdfast.HeldRecord;
import io.holdfast.Lease;
import io.holdfast.cli.history.PastRun;
import io.holdfast.cli.history.RunHistory;
import io.holdfast.record.LockRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The history of a lock that has one holder. Each method blocks for one round at most. */
final class ExclusiveHistory implements LockHistory {

    private final HeldRecord record;
    private final long fence;
    private LockRecord read = LockRecord.none(LockRecord.NEVER);
    private Optional<RunHistory> history = Optional.empty();

    ExclusiveHistory(Lease lease) {
        this.record = lease.record();
        this.fence = lease.fencingToken().value();
    }

    @Override
    public void read() {
        read = record.read();
        history = RunHistory.parse(read.text());
    }

    @Override
    public boolean isCompleteSince(Instant time) {
        return read.isCompleteSince(time);
    }

    @Override
    public boolean isLatest() {
        return read.isLatest();
    }

    @Override
    public Optional<RunHistory> history() {
        return history;
    }

    @Override
    public boolean write(PastRun run, Duration keep, boolean marks) {
        PastRun own = run.fence() == 0 ? run.under(fence) : run;
        return rewrite(known -> {
            RunHistory next = known.keptFor(keep).with(own);
            return marks ? next.markedBy(own) : next;
        });
    }

    @Override
    public void repair() {
        rewrite(known -> known);
    }

    /** Writes the history that was read, changed in this way; returns whether a majority has confirmed it. */
    boolean rewrite(UnaryOperator<RunHistory> change) {
        return history.map(change)
                .filter(next -> record.write(next.text(), next.keep()))
                .isPresent();
    }
}
