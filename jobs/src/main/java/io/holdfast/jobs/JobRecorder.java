package io.holdfast.jobs;

import io.holdfast.Lease;
import io.holdfast.event.LockEvent;
import io.holdfast.lease.LeaseState;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides about one run of a job under a lease that the caller has acquired, and records it beside the lock. For
 * adapters; {@link Job} acquires the lock as well.
 *
 * <ol>
 *   <li>{@link #decide} states whether the run is needed. Without a period it only reads the earlier runs, and may be
 *       left out.
 *   <li>{@link #started} records the start, and does not wait for the nodes.
 *   <li>{@link #ended} records the end, while the lock is still held. A success that counts for a period has to be
 *       confirmed before the release.
 *   <li>{@link #lost} corrects the record if the release finds that the lock was lost before.
 * </ol>
 *
 * <p>The lease must be exclusive: shared holders would overwrite each other's records, so nothing is recorded under a
 * shared one. A record that cannot be written never fails a run.
 *
 * <p>Thread-safe, as far as the steps follow each other. A future of this class completes on a thread of the library
 * that may be blocked, or at once. It does not fail, unless the {@code Holdfast} is closed meanwhile.
 */
public final class JobRecorder {

    private static final int START_ATTEMPTS = 8;

    /** The attempts to record the end of a run. Nodes may be slow for a moment. */
    private static final int END_ATTEMPTS = 3;

    private final Lease lease;
    private final JobRule rule;
    private final HistoryStore store;
    private final CompletableFuture<Boolean> over = new CompletableFuture<>();
    private final CompletableFuture<Boolean> ending = new CompletableFuture<>();
    private volatile CompletableFuture<Boolean> starting = CompletableFuture.completedFuture(false);
    private volatile @Nullable JobRun run;

    private JobRecorder(Lease lease, JobRule rule) {
        this.lease = lease;
        this.rule = rule;
        this.store = new HistoryStore(lease);
    }

    /** Creates a recorder for one run under a lease that has just been granted. */
    public static JobRecorder of(Lease lease, JobRule rule) {
        return new JobRecorder(lease, rule);
    }

    /**
     * Decides whether the run is needed. Blocks for one round, at most for the node timeout; with a period for up to 10
     * s while too few nodes answer.
     *
     * <p>If the job has succeeded in its period, the record is written again, so that each node has it that was
     * restarted since then.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    public JobDecision decide() throws InterruptedException {
        return store.get(decided());
    }

    /** Decides whether the run is needed, without blocking; see {@link #decide}. */
    public CompletableFuture<JobDecision> decideAsync() {
        return store.delivered(decided());
    }

    private CompletableFuture<JobDecision> decided() {
        return store.repeat(() -> store.read().thenApply(read -> rule.isDecided(read, store.history())))
                .thenApply(isDecided -> rule.decide(store.last(), store.history()))
                .thenCompose(this::repair);
    }

    private CompletableFuture<JobDecision> repair(JobDecision decision) {
        // Under this lease, a rewritten history outranks a later one that a silent node may have.
        return decision.reason() == JobDecision.Reason.SUCCEEDED
                ? store.rewrite(known -> known).thenApply(written -> decision)
                : CompletableFuture.completedFuture(decision);
    }

    /**
     * Begins to record the start of the run, which is now. Does not block.
     *
     * @param waited how long the run has waited for the lock
     */
    public void started(JobRun.Runner runner, Duration waited) {
        JobRun begun = new JobRun(lease.fencingToken().value(), rule.now(), waited, runner, Optional.empty());
        run = begun;
        starting = guarded(() -> start(begun, 1));
    }

    /** Records the start of a run. That of a run which has ended meanwhile is recorded with its end. */
    private CompletableFuture<Boolean> start(JobRun begun, int attempt) {
        if (attempt == START_ATTEMPTS || over.isDone()) {
            return CompletableFuture.completedFuture(false);
        }
        return write(begun)
                .thenCompose(isWritten -> isWritten
                        ? CompletableFuture.completedFuture(true)
                        : store.pause(Durations.times(HistoryStore.RETRY_PAUSE, attempt), over)
                                .thenCompose(paused -> start(begun, attempt + 1)));
    }

    /**
     * Records the end of the run, which is now. A lease that is lost makes every status {@link JobRun.Status#LOST}.
     * Blocks for one round in general; for up to 10 s while too few nodes confirm a success that counts for a period.
     * An interrupt does not end the wait; it stays set. The first end counts: a later call only waits for its record.
     *
     * @param text the exit code, or the name of the class of an exception; empty if there is neither
     * @return {@code true} if a majority of the nodes has confirmed the record
     */
    public boolean ended(JobRun.Status status, String text) {
        return store.join(end(status, text));
    }

    /** Records the end of the run without blocking; see {@link #ended}. */
    public CompletableFuture<Boolean> endedAsync(JobRun.Status status, String text) {
        return store.delivered(end(status, text));
    }

    private CompletableFuture<Boolean> end(JobRun.Status status, String text) {
        if (over.complete(true)) {
            firstEnd(status, text).thenAccept(ending::complete);
        }
        return ending;
    }

    private CompletableFuture<Boolean> firstEnd(JobRun.Status status, String text) {
        JobRun begun = run;
        if (begun == null) {
            return CompletableFuture.completedFuture(false);
        }
        boolean isLost = lease.state() == LeaseState.LOST;
        JobRun ended = begun.ended(new JobRun.Outcome(rule.now(), isLost ? JobRun.Status.LOST : status, text));
        run = ended;
        store.report(new LockEvent.RunEnded(
                lease.resource(),
                lease.fencingToken(),
                HistoryFormat.word(isLost ? JobRun.Status.LOST : status),
                ended.duration().orElse(Duration.ZERO)));
        return guarded(
                () -> starting.thenCompose(started -> mustBeConfirmed(ended) ? confirm(ended) : attempt(ended, 1)));
    }

    /** A step of the record that fails, as without memory for a timer, must not fail the run. */
    private static CompletableFuture<Boolean> guarded(Supplier<CompletableFuture<Boolean>> step) {
        try {
            return step.get().exceptionally(failure -> false);
        } catch (RuntimeException | Error failure) {
            return CompletableFuture.completedFuture(false);
        }
    }

    /** Returns {@code true} if a run that is forgotten would be repeated in its period. */
    private boolean mustBeConfirmed(JobRun ended) {
        return rule.isOncePerPeriod() && ended.isSuccess();
    }

    /** Repeats the write until a majority has confirmed it. */
    private CompletableFuture<Boolean> confirm(JobRun ended) {
        return store.repeat(() -> write(ended));
    }

    private CompletableFuture<Boolean> attempt(JobRun ended, int attempt) {
        return write(ended)
                .thenCompose(isWritten -> isWritten || attempt == END_ATTEMPTS
                        ? CompletableFuture.completedFuture(isWritten)
                        : attempt(ended, attempt + 1));
    }

    /**
     * Corrects the record of a run that was recorded as valid: its release has found that the lock was lost. Blocks
     * until the end of the run has been recorded, and for a round after that.
     *
     * @return {@code true} if a majority of the nodes has confirmed the record
     */
    public boolean lost() {
        return store.join(correct());
    }

    /** Corrects the record without blocking; see {@link #lost}. */
    public CompletableFuture<Boolean> lostAsync() {
        return store.delivered(correct());
    }

    private CompletableFuture<Boolean> correct() {
        JobRun ended = run;
        if (ended == null || ended.outcome().isEmpty()) {
            return CompletableFuture.completedFuture(false);
        }
        JobRun lost = ended.ended(ended.outcome().get().lost());
        run = lost;
        return guarded(() -> ending.thenCompose(recorded -> write(lost)));
    }

    /** Writes the history that was read, with this state of the run; reads it first if it is not known yet. */
    private CompletableFuture<Boolean> write(JobRun state) {
        return mayWrite()
                ? store.rewrite(known -> changed(known, state))
                : store.read()
                        .thenCompose(read -> mayWrite()
                                ? store.rewrite(known -> changed(known, state))
                                : CompletableFuture.completedFuture(false));
    }

    /** While another node may have a later history, a write would hide its runs. */
    private boolean mayWrite() {
        return store.history().isPresent()
                && (rule.isOncePerPeriod() || store.last().isLatest());
    }

    private JobHistory changed(JobHistory known, JobRun state) {
        JobHistory next = known.keptFor(rule.keep()).expecting(rule.every()).with(state);
        return rule.isOncePerPeriod() ? next.markedBy(state, rule.since()) : next;
    }
}
