package io.holdfast.jobs;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.record.LockRecord;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The state of a job at one moment: its last runs, whether it runs now, when it is due next, and whether it is overdue.
 * Immutable.
 *
 * <p>A job is due when the time that it {@linkplain JobHistory#expectEvery states} has passed since the start of its
 * last success, and overdue a tenth of that time later, at least a minute. A run that goes on counts like a success
 * until then, so a job that takes long is not overdue at once. A start that is more than {@link
 * JobRule#CLOCK_TOLERANCE} in the future does not count; if there is no other, the job is overdue.
 *
 * @param name the name of the job and of its lock
 * @param history its last runs
 * @param isComplete {@code false} if nodes that do not answer may know later runs
 * @param lock the state of its lock; without nodes, which were not asked, if the last run has ended
 */
public record JobStatus(String name, JobHistory history, boolean isComplete, LockStatus lock) {

    private static final int GRACE_PARTS = 10;
    private static final Duration LEAST_GRACE = Duration.ofMinutes(1);

    /**
     * Reads the states of all jobs, sorted by name. A node lists them, so this does not iterate over its keys. Blocks
     * for a round for the names, and one for each 500 jobs; if runs have not ended, usually also for three rounds for
     * each 500 of these. A node that is silent costs each of these questions 2 s at most. A job whose record is in an
     * unknown format is left out, and so is one whose record has ended.
     *
     * @throws IllegalStateException if no majority of the nodes answers, so that a job could be missing
     */
    public static List<JobStatus> all(LockAdmin admin) {
        List<LockStatus> locks =
                admin.recorded().stream().map(LockRuns::unasked).toList();
        return LockRuns.of(admin, locks).stream()
                .flatMap(runs -> of(runs).stream())
                .toList();
    }

    private static Optional<JobStatus> of(LockRuns runs) {
        LockRecord record = runs.record();
        return runs.history()
                .filter(history -> record.isPresent() || isUnknown(record))
                .map(history -> new JobStatus(runs.lock().resource(), history, record.isLatest(), runs.lock()));
    }

    /** A job that is listed, and of which too few nodes say anything, must not look as if it had ended. */
    private static boolean isUnknown(LockRecord record) {
        return record.completeSince().equals(LockRecord.NEVER);
    }

    /** Returns the newest run, which may go on; empty if only a stated success is known. */
    public Optional<JobRun> lastRun() {
        return history.lastRun();
    }

    /** Returns the run that goes on now, whose lease holds the lock; empty if there is none. */
    public Optional<JobRun> running() {
        return lastRun().filter(run -> run.isRunning(lock));
    }

    /** Returns {@code true} if the last run failed, lost its lock, or did not report its end. */
    public boolean isFailed() {
        return lastRun()
                        .filter(run -> run.isFailure() || run.outcome().isEmpty())
                        .isPresent()
                && running().isEmpty();
    }

    /** Returns how long the last successful run took; empty if none is known. */
    public Optional<Duration> duration() {
        return history.runs().stream().filter(JobRun::isSuccess).findFirst().flatMap(JobRun::duration);
    }

    /**
     * Returns when the job is due next, as far as is known now; in the past if it is late. Empty if no run has
     * stated how often it should run, or if no start is known that counts.
     */
    public Optional<Instant> nextDue(Instant now) {
        return history.expectEvery().flatMap(every -> reference(now).map(start -> start.plus(every)));
    }

    /** Returns the start from which the time counts: of the last success, of a present run, or of the oldest run. */
    private Optional<Instant> reference(Instant now) {
        Optional<Instant> oldest = history.runs().stream()
                .map(JobRun::start)
                .filter(start -> !JobRule.isFuture(start, now))
                .min(Instant::compareTo);
        return Stream.of(history.lastSuccess(now), running().map(JobRun::start))
                .flatMap(Optional::stream)
                .filter(start -> !JobRule.isFuture(start, now))
                .max(Instant::compareTo)
                .or(() -> oldest);
    }

    /** Returns {@code true} if the job should have run before this moment. */
    public boolean isOverdue(Instant now) {
        boolean isKnown = lastRun().isPresent() || history.mark().isPresent();
        return history.expectEvery()
                .filter(every -> nextDue(now)
                        .map(due -> now.isAfter(due.plus(grace(every))))
                        .orElse(isKnown))
                .isPresent();
    }

    private static Duration grace(Duration every) {
        return Durations.longer(LEAST_GRACE, Durations.part(every, GRACE_PARTS));
    }
}
