package io.holdfast.jobs;

import java.time.Instant;
import java.util.Optional;

/**
 * A decision whether a run of a job is needed, by the record that the holder of its lock has read. Immutable.
 *
 * @param reason why the job runs or does not run
 * @param since the beginning of the period; {@link Instant#MIN} for a job without one
 * @param mark the last success on record that counts for a period, whether it is in this one or not
 * @param isMarkIgnored {@code true} if that success is ignored because it is too far in the future
 * @param history the earlier runs; none if too few nodes know them, or if their format is unknown
 */
public record JobDecision(
        Reason reason, Instant since, Optional<JobHistory.Mark> mark, boolean isMarkIgnored, JobHistory history) {

    /** The reasons for a decision. */
    public enum Reason {
        /** The job runs: it has not succeeded in its period, or has none. */
        DUE(true),
        /** The job runs, maybe again: too many nodes are new or have forgotten their data, and maybe a success. */
        FORGOTTEN(true),
        /** The job runs, maybe again, as its rule wants: nodes that do not answer may know of a success. */
        RISKED(true),
        /** The job does not run: it has succeeded in its period. */
        SUCCEEDED(false),
        /** The job does not run: nodes that do not answer may know of a success. */
        UNKNOWN(false),
        /** The job does not run: another version has recorded the runs in a format that this one does not know. */
        UNREADABLE(false);

        private final boolean runs;

        Reason(boolean runs) {
            this.runs = runs;
        }
    }

    /** Returns {@code true} if the job has to run. */
    public boolean runs() {
        return reason.runs;
    }

    /** Returns the reason as a sentence without its end. */
    String text(String job) {
        return switch (reason) {
            case DUE -> "'" + job + "' is due";
            case FORGOTTEN ->
                "unknown whether '" + job + "' has run since " + since + ": too many nodes are new, or were restarted"
                        + " without their data; it runs, maybe again";
            case RISKED -> unknown(job) + "; it runs, maybe again";
            case SUCCEEDED ->
                "'" + job + "' has run with success"
                        + mark.map(success -> " at " + success.start()).orElse("");
            case UNKNOWN -> unknown(job);
            case UNREADABLE -> JobHistory.unreadable(job);
        };
    }

    private String unknown(String job) {
        return "unknown whether '" + job + "' has run since " + since
                + ": too few nodes answer that have not been restarted since";
    }
}
