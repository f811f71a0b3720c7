package io.holdfast.cli.lock;

import io.holdfast.HeldRecord;
import io.holdfast.Lease;
import io.holdfast.cli.history.PastRun;
import io.holdfast.cli.history.PastRuns;
import io.holdfast.record.LockRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The history of one lock, as its only holder reads and writes it. Each method blocks for one round at most. */
final class LockHistory {

    /** The time for which a run tries again to read or to write the history on slow servers. */
    static final Duration RETRY_LIMIT = Duration.ofSeconds(10);

    /** The time between two such attempts. */
    static final Duration RETRY_PAUSE = Duration.ofMillis(100);

    private final HeldRecord record;
    private final long fence;
    private LockRecord read = LockRecord.none(LockRecord.NEVER);
    private Optional<PastRuns> history = Optional.empty();

    LockHistory(Lease lease) {
        this.record = lease.record();
        this.fence = lease.fencingToken().value();
    }

    /** Reads the history from the servers. */
    void read() {
        read = record.read();
        history = PastRuns.parse(read.text());
    }

    /** Returns whether no confirmed run since then is missing. */
    boolean isCompleteSince(Instant time) {
        return read.isCompleteSince(time);
    }

    /** Returns whether no other server can know a later run, so that what may be missing is lost. */
    boolean isLatest() {
        return read.isLatest();
    }

    /** Returns the history that was read; empty if another version of this program has written it. */
    Optional<PastRuns> history() {
        return history;
    }

    /**
     * Writes the history that was read, with this state of the present run; returns whether a majority has confirmed
     * it.
     *
     * @param marks whether a success of the run counts for {@code --once-per}
     */
    boolean write(PastRun run, Duration keep, boolean marks) {
        PastRun own = run.under(fence);
        return rewrite(known -> {
            PastRuns next = known.keptFor(keep).with(own);
            return marks ? next.markedBy(own) : next;
        });
    }

    /** Writes the history that was read, so that servers that were restarted have it again. */
    void repair() {
        rewrite(known -> known);
    }

    /** Writes the history that was read, changed in this way; returns whether a majority has confirmed it. */
    boolean rewrite(UnaryOperator<PastRuns> change) {
        return history.map(change)
                .filter(next -> record.write(next.text(), next.keep()))
                .isPresent();
    }
}
