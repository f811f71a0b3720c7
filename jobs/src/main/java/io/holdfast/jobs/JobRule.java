package io.holdfast.jobs;

import io.holdfast.record.LockRecord;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Optional;

/**
 * The rule for one run of a job, which begins now: since when a success makes the run needless, and how often the job
 * should run. Immutable.
 *
 * <p>A success counts by the start of its run. It counts for the period if it started in it, by the clock of its
 * machine. One that is more than {@link #CLOCK_TOLERANCE} in the future shows a wrong clock and is ignored, since it
 * would prevent all runs until then. A run that begins up to {@link #EARLY_START} before a border belongs to the period
 * that begins there: a timer may fire a moment early.
 */
public final class JobRule {

    /** The greatest lead of the clock of another machine over this one with which its success counts: 10 minutes. */
    public static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(10);

    /** The time before a border of a period in which a run belongs to the next period: 1 second. */
    public static final Duration EARLY_START = Duration.ofSeconds(1);

    /** The lead of this clock over that of a node with which a success after the border is not missed. */
    private static final Duration NODE_CLOCK_TOLERANCE = Duration.ofMinutes(1);

    private static final Instant ALWAYS = Instant.MIN;

    private final Instant since;
    private final Duration keep;
    private final Optional<Duration> every;
    private final boolean runsIfUnknown;
    private final InstantSource clock;

    private JobRule(
            Instant since, Duration keep, Optional<Duration> every, boolean runsIfUnknown, InstantSource clock) {
        this.since = since;
        this.keep = keep;
        this.every = every;
        this.runsIfUnknown = runsIfUnknown;
        this.clock = clock;
    }

    /** Returns the rule of a job that always runs, and whose runs are recorded. */
    public static JobRule always(InstantSource clock) {
        return new JobRule(ALWAYS, JobHistory.SHORTEST_KEEP, Optional.empty(), false, clock);
    }

    /**
     * Returns the rule of a job that succeeds once per period. If the period {@linkplain JobPeriod#hasBorders has
     * borders}, the job should run as often; a duration is shorter than the interval of the scheduler, so it states
     * nothing about that. The job does not run if it may have succeeded on nodes that do not answer; see {@link
     * #runningIfUnknown}.
     *
     * @param zone the time zone of days, weeks and months; the same for all machines
     * @param clock states the present moment, now and at the start and the end of the run
     */
    public static JobRule oncePer(JobPeriod period, ZoneId zone, InstantSource clock) {
        Instant now = clock.instant();
        Instant since = period.start(period.hasBorders() ? now.plus(EARLY_START) : now, zone);
        Duration keep = Durations.longer(JobHistory.SHORTEST_KEEP, Durations.times(period.longest(), 2));
        Optional<Duration> every = period.hasBorders() ? Optional.of(period.everyFrom(since, zone)) : Optional.empty();
        return new JobRule(since, keep, every, false, clock);
    }

    /**
     * Returns this rule for a job that should run so often, which shows when it is overdue.
     *
     * @param time from 1 s to {@link JobPeriod#LONGEST}
     * @throws IllegalArgumentException if the time is out of range
     */
    public JobRule expectedEvery(Duration time) {
        Duration twice = Durations.times(JobPeriod.of(time).longest(), 2);
        return new JobRule(since, Durations.longer(keep, twice), Optional.of(time), runsIfUnknown, clock);
    }

    /**
     * Returns this rule for a job that runs, maybe again, if too few nodes know whether it has succeeded in its period.
     */
    public JobRule runningIfUnknown() {
        return new JobRule(since, keep, every, true, clock);
    }

    /** Returns {@code true} if a success in the period makes a run needless. */
    public boolean isOncePerPeriod() {
        return !since.equals(ALWAYS);
    }

    /** Returns the beginning of the period in which a success counts; {@link Instant#MIN} if none counts. */
    public Instant since() {
        return since;
    }

    Duration keep() {
        return keep;
    }

    Optional<Duration> every() {
        return every;
    }

    Instant now() {
        return clock.instant();
    }

    /** Returns {@code true} if further answers of nodes would not change the decision. */
    boolean isDecided(LockRecord read, Optional<JobHistory> history) {
        return !isOncePerPeriod()
                || isComplete(read)
                || read.isLatest()
                || history.flatMap(JobHistory::mark).filter(this::counts).isPresent();
    }

    /** Decides about a run. Requires that its lock is held, since no other run can succeed meanwhile. */
    JobDecision decide(LockRecord read, Optional<JobHistory> history) {
        JobHistory known = history.orElse(JobHistory.NONE);
        return new JobDecision(reason(read, history), since, known.mark(), isFuture(known), known);
    }

    private JobDecision.Reason reason(LockRecord read, Optional<JobHistory> history) {
        if (!isOncePerPeriod()) {
            return JobDecision.Reason.DUE;
        } else if (history.isEmpty()) {
            return JobDecision.Reason.UNREADABLE;
        } else if (history.get().mark().filter(this::counts).isPresent()) {
            return JobDecision.Reason.SUCCEEDED;
        } else if (isComplete(read)) {
            return JobDecision.Reason.DUE;
        } else if (read.isLatest()) {
            // It is lost, so waiting changes nothing: after a power cut no run would follow in this period.
            return JobDecision.Reason.FORGOTTEN;
        }
        return runsIfUnknown ? JobDecision.Reason.RISKED : JobDecision.Reason.UNKNOWN;
    }

    /** The nodes state by their clocks since when no success is missing. */
    private boolean isComplete(LockRecord read) {
        return read.isCompleteSince(since.minus(NODE_CLOCK_TOLERANCE));
    }

    private boolean counts(JobHistory.Mark success) {
        return !success.start().isBefore(since) && !isFuture(success);
    }

    private boolean isFuture(JobHistory known) {
        return isOncePerPeriod() && known.mark().filter(this::isFuture).isPresent();
    }

    private boolean isFuture(JobHistory.Mark success) {
        return isFuture(success.start(), now());
    }

    /** Returns {@code true} if a start is so late that a clock must have been wrong. */
    static boolean isFuture(Instant start, Instant now) {
        return start.isAfter(now.plus(CLOCK_TOLERANCE));
    }
}
