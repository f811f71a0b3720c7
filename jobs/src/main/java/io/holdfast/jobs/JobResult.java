package io.holdfast.jobs;

import io.holdfast.node.ResourceName;
import java.time.Instant;
import java.util.Optional;

/**
 * The result of a call of {@link Job#run} whose body did not throw. Immutable.
 *
 * @param kind whether the body ran, and otherwise why it did not
 * @param success the start of the run that made this one needless; empty for all other kinds
 * @param message the result as a sentence without its end
 */
public record JobResult(Kind kind, Optional<Instant> success, String message) {

    /** Creates a result; a control character of the message, which a name may contain, becomes a question mark. */
    public JobResult {
        message = ResourceName.printable(message);
    }

    /** The kinds of results. */
    public enum Kind {
        /** The body ran and returned. */
        RAN,
        /** The body ran and returned, but too few nodes have recorded it; with a period, it may run again. */
        RAN_UNRECORDED,
        /** The body did not run: the job has succeeded in its period. */
        SUCCEEDED_BEFORE,
        /** The body did not run: another run held the lock until the wait was over. */
        HELD,
        /** The body did not run: too few nodes know whether the job has succeeded in its period. */
        UNKNOWN
    }

    static JobResult held(String job) {
        return new JobResult(Kind.HELD, Optional.empty(), "'" + job + "' is held by another run");
    }

    static JobResult ran(String job, boolean isRecorded) {
        return new JobResult(
                isRecorded ? Kind.RAN : Kind.RAN_UNRECORDED,
                Optional.empty(),
                "'" + job + "' ran" + (isRecorded ? "" : ", but too few nodes have recorded it"));
    }

    static JobResult skipped(String job, JobDecision decision) {
        boolean isDone = decision.reason() == JobDecision.Reason.SUCCEEDED;
        return new JobResult(
                isDone ? Kind.SUCCEEDED_BEFORE : Kind.UNKNOWN,
                isDone ? decision.mark().map(JobHistory.Mark::start) : Optional.empty(),
                decision.text(job));
    }

    /** Returns {@code true} if the body ran. */
    public boolean hasRun() {
        return kind == Kind.RAN || kind == Kind.RAN_UNRECORDED;
    }
}
