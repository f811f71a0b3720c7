package io.holdfast.cli.lock;

import io.holdfast.HeldRecord;
import io.holdfast.Lease;
import io.holdfast.cli.history.PastRun;
import io.holdfast.cli.history.RunHistory;
import io.holdfast.record.LockRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

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
    public Optional<RunHistory> history() {
        return history;
    }

    @Override
    public boolean write(PastRun run, Duration keep) {
        return history.map(known -> known.keptFor(keep).with(run.fence() == 0 ? run.under(fence) : run))
                .filter(next -> record.write(next.text(), next.keep()))
                .isPresent();
    }

    @Override
    public void repair() {
        history.ifPresent(known -> record.write(known.text(), known.keep()));
    }
}
