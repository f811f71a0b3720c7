package io.holdfast.cli.lock;

import io.holdfast.cli.history.PastRun;
import io.holdfast.cli.history.RunHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The history of one lock, as a holder of it reads and writes it. */
interface LockHistory {

    /** The time for which a run tries again to read or to write the history on slow servers. */
    Duration RETRY_LIMIT = Duration.ofSeconds(10);

    /** The time between two such attempts. */
    Duration RETRY_PAUSE = Duration.ofMillis(100);

    /** Reads the history from the servers. */
    void read();

    /** Returns whether no confirmed run since then is missing. */
    boolean isCompleteSince(Instant time);

    /** Returns whether no other server can know a later run, so that what may be missing is lost. */
    boolean isLatest();

    /** Returns the history that was read; empty if another version of this program has written it. */
    Optional<RunHistory> history();

    /**
     * Writes the history that was read, with this state of the present run; returns whether a majority has confirmed it.
     *
     * @param marks whether a success of the run counts for {@code --once-per}
     */
    boolean write(PastRun run, Duration keep, boolean marks);

    /** Writes the history that was read, so that servers that were restarted have it again. */
    void repair();
}
