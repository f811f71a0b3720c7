package io.holdfast.jobs;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.lease.ClientDescription;
import io.holdfast.node.ResourceName;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.LockInternals;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * Code that runs under a lock, on one machine at a time, and leaves a record of its runs beside the lock. With a
 * {@linkplain #oncePer period} it succeeds once per period: all machines start it, one of them runs it, and the others
 * skip it. If it fails, or its process ends, the next machine that waits runs it.
 *
 * <pre>{@code
 * Job job = Job.of(holdfast, "nightly-report").oncePer(JobPeriod.parse("@daily"));
 * JobResult result = job.run(run -> reports.write());
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
public final class Job {

    private final Holdfast holdfast;
    private final DistributedLock lock;
    private final Optional<JobPeriod> period;
    private final ZoneId zone;
    private final InstantSource clock;
    private final UnaryOperator<JobRule> rule;
    private final String program;

    private Job(
            Holdfast holdfast,
            DistributedLock lock,
            Optional<JobPeriod> period,
            ZoneId zone,
            InstantSource clock,
            UnaryOperator<JobRule> rule,
            String program) {
        this.holdfast = holdfast;
        this.lock = lock;
        this.period = period;
        this.zone = zone;
        this.clock = clock;
        this.rule = rule;
        this.program = Objects.requireNonNull(program, "the program is null; name it");
    }

    /**
     * Returns a job that always runs, and whose runs are recorded. Does not ask the nodes.
     *
     * @param name the name of the job and of its lock, which each job has for itself
     * @throws IllegalArgumentException if the name is not valid for a lock
     */
    public static Job of(Holdfast holdfast, String name) {
        return new Job(
                holdfast,
                lock(holdfast, name),
                Optional.empty(),
                ZoneId.systemDefault(),
                InstantSource.system(),
                UnaryOperator.identity(),
                ClientDescription.mainProgram());
    }

    /** Returns the lock of a job, whose lease is also possible with a short {@code maxLease}. */
    static DistributedLock lock(Holdfast holdfast, String name) {
        Duration lease = Durations.shorter(LockOptions.DEFAULT.lease(), holdfast.longestLease());
        return holdfast.lock(
                name,
                LockOptions.builder()
                        .lease(lease)
                        .waitLimit(LockOptions.FOREVER)
                        .build());
    }

    /**
     * Returns this job with a period, in which it succeeds once. It is the same for all machines. If it has borders,
     * the job should run as often, unless {@link #expectEvery} states something else; a duration does not state that.
     */
    public Job oncePer(JobPeriod once) {
        return new Job(holdfast, lock, Optional.of(once), zone, clock, rule, program);
    }

    /**
     * Returns this job with a statement how often it should run, which shows when it is overdue.
     *
     * @param time from 1 s to {@link JobPeriod#LONGEST}
     * @throws IllegalArgumentException if the time is out of range
     */
    public Job expectEvery(Duration time) {
        JobPeriod.of(time);
        return withRule(one -> one.expectedEvery(time));
    }

    /**
     * Returns this job, which runs, maybe again, if too few nodes know whether it has succeeded in its period. Without
     * this it does not run then.
     */
    public Job runIfUnknown() {
        return withRule(JobRule::runningIfUnknown);
    }

    private Job withRule(UnaryOperator<JobRule> more) {
        return new Job(holdfast, lock, period, zone, clock, one -> more.apply(rule.apply(one)), program);
    }

    /** Returns this job with days, weeks and months of a time zone; otherwise, of the default zone. */
    public Job inZone(ZoneId other) {
        return new Job(holdfast, lock, period, other, clock, rule, program);
    }

    /** Returns this job with another clock than that of the system; for tests. */
    public Job withClock(InstantSource other) {
        return new Job(holdfast, lock, period, zone, other, rule, program);
    }

    /**
     * Returns this job with other options of its lock: how long to wait for a run of another machine, and for nodes
     * that do not answer, by default without a limit; and how long the lease is.
     *
     * @throws IllegalArgumentException if the lease is longer than {@link HoldfastOptions#maxLease}
     */
    public Job withOptions(LockOptions options) {
        return new Job(holdfast, holdfast.lock(name(), options), period, zone, clock, rule, program);
    }

    /** Returns this job with a name of what it runs, for its history; otherwise, the main class of this process. */
    public Job withProgram(String other) {
        return new Job(holdfast, lock, period, zone, clock, rule, other);
    }

    /** Returns the name of the job and of its lock. */
    public String name() {
        return lock.resource();
    }

    /**
     * Waits for the lock, runs the body if a run is needed, records the run, and releases the lock.
     *
     * <p>Blocks as long as the body runs, and for a round to read the record and one to write it; for up to 10 s each
     * if too few nodes answer for a job with a period. An interrupt ends the wait for the lock and the first round.
     *
     * @param body what runs while the lock is held
     * @return whether it ran, and otherwise why it did not
     * @throws LeaseLostException if the body returned, but the lock was lost while it ran: another machine may have run
     *     it as well. The run is no success
     * @throws QuorumUnreachableException if too few nodes voted; the body did not run
     * @throws InterruptedException if the thread is interrupted before the body runs
     * @throws E if the body throws it; the run is recorded as failed
     */
    public <E extends Exception> JobResult run(Body<E> body) throws E, InterruptedException {
        Objects.requireNonNull(body, "body is null; give what runs while the lock is held");
        JobRule one = rule();
        Time time = LockInternals.time(lock);
        Moment begun = time.now();
        Optional<Lease> acquired = acquire();
        if (acquired.isEmpty()) {
            return JobResult.held(name());
        }
        try (Lease lease = acquired.get()) {
            Duration waited = time.now().since(begun);
            JobRecorder recorder = JobRecorder.of(lease, one);
            JobDecision decision = recorder.decide();
            if (!decision.runs()) {
                return JobResult.skipped(name(), decision);
            }
            recorder.started(JobRun.Runner.ofThisProcess(JobRun.Runner.JAVA, program), waited);
            return run(lease, recorder, decision, body);
        }
    }

    /**
     * Does what {@link #run} does without blocking: acquires the lock, runs the body if a run is needed, holds the lock
     * until its stage completes, records the run, and releases the lock.
     *
     * @param body what runs while the lock is held; called on a thread of the library that it may block
     * @return completes with the result of the call. Fails with the exception of the body or of its stage, with {@link
     *     LeaseLostException} or with {@link QuorumUnreachableException}, as {@link #run} does. Its cancellation ends
     *     the wait for the lock; later, it cancels the stage if that is a future, whose end releases the lock
     */
    public CompletableFuture<JobResult> runAsync(AsyncBody body) {
        return new AsyncRun(lock, rule(), program, body).start();
    }

    private JobRule rule() {
        return rule.apply(
                period.map(once -> JobRule.oncePer(once, zone, clock)).orElseGet(() -> JobRule.always(clock)));
    }

    private Optional<Lease> acquire() throws InterruptedException {
        try {
            return Optional.of(lock.acquire());
        } catch (LockTimeoutException held) {
            return Optional.empty();
        }
    }

    private <E extends Exception> JobResult run(Lease lease, JobRecorder recorder, JobDecision decision, Body<E> body)
            throws E {
        try {
            body.run(new CurrentRun(lease, decision));
        } catch (Throwable failed) {
            recorder.ended(JobRun.Status.FAILED, failed.getClass().getName());
            throw failed;
        }
        boolean isRecorded = recorder.ended(JobRun.Status.SUCCEEDED, "");
        try {
            lease.finish();
        } catch (LeaseLostException lost) {
            recorder.lost();
            throw lost;
        }
        return JobResult.ran(name(), isRecorded);
    }

    /**
     * Reads the history of the job without its lock. Blocks for one round, at most for 2 s.
     *
     * @return the runs that the nodes which answer know of; empty if their format is unknown to this version
     * @throws IllegalStateException if no run is known, and too few nodes answer to know that there was none
     */
    public Optional<JobHistory> history() {
        LockRecord record = holdfast.admin().record(name());
        if (!record.isPresent() && !record.isLatest()) {
            throw new IllegalStateException("Too few nodes answer, so it is unknown whether '"
                    + ResourceName.printable(name()) + "' ever ran; check that they run");
        }
        return JobHistory.of(record);
    }

    /**
     * The body of a job.
     *
     * @param <E> the exception that it may throw
     */
    @FunctionalInterface
    public interface Body<E extends Exception> {

        /** Runs while the lock is held. Returning without an exception is a success. */
        void run(CurrentRun run) throws E;
    }

    /** The body of a job that ends later. */
    @FunctionalInterface
    public interface AsyncBody {

        /**
         * Begins the work while the lock is held.
         *
         * @return completes when the work has ended; without an exception, that is a success
         * @throws Exception if the work does not begin; the run is recorded as failed
         */
        CompletionStage<?> run(CurrentRun run) throws Exception;
    }
}
