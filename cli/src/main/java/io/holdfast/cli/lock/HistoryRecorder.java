package io.holdfast.cli.lock;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.history.PastRun;
import io.holdfast.cli.history.PastRuns;
import io.holdfast.cli.output.HolderNote;
import io.holdfast.cli.output.Terminal;
import io.holdfast.lease.LeaseState;
import io.holdfast.time.Durations;
import io.holdfast.time.ThreadWait;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Records a run beside its locks. A record that cannot be written changes no exit code, unless {@code --once-per}
 * depends on it.
 */
public final class HistoryRecorder {

    private static final int START_ATTEMPTS = 8;

    /** The attempts to record the end of a run. Servers may be slow for a moment. */
    private static final int END_ATTEMPTS = 3;

    private final JointLease lease;
    private final List<LockHistory> locks;
    private final Optional<OncePer> once;
    private final int unrecordedCode;
    private final Terminal terminal;
    private CompletableFuture<Void> reading = CompletableFuture.completedFuture(null);
    private final CountDownLatch end = new CountDownLatch(1);
    private @Nullable PastRun run;
    private boolean isUnconfirmed;

    /**
     * Creates a recorder for a lease of this client that has just been granted.
     *
     * @param unrecordedCode the exit code if too few servers have recorded a success that {@code --once-per} needs
     */
    public HistoryRecorder(JointLease lease, Optional<OncePer> once, int unrecordedCode, Terminal terminal) {
        this.lease = lease;
        this.locks = lease.histories();
        this.once = once;
        this.unrecordedCode = unrecordedCode;
        this.terminal = terminal;
    }

    /** Returns the lease. */
    public JointLease lease() {
        return lease;
    }

    /**
     * Returns when the command started that has succeeded in this period; empty if the command has to run. The record
     * is written again if there is one, so that servers that were restarted since have it as well.
     *
     * @param program the program of this run
     */
    public Optional<Instant> success(String program) throws InterruptedException {
        if (once.isEmpty()) {
            return Optional.empty();
        }
        LockHistory lock = locks.get(0);
        Optional<Instant> success = once.get().success(lock, lease.resource(), program, terminal);
        if (success.isPresent()) {
            lock.repair();
        }
        return success;
    }

    /**
     * Records the start of the command, without waiting for the servers, and names the holder beside the locks.
     *
     * @param pid the process id that the user sees
     */
    public void started(String program, long pid, Duration waited) {
        PastRun.Runner process = new PastRun.Runner(System.getProperty("user.name"), HolderNote.host(), pid, program);
        run = new PastRun(0, Instant.now(), waited, process, Optional.empty());
        PastRun begun = run;
        try {
            lease.annotate(HolderNote.of(program, pid));
            reading = CompletableFuture.runAsync(
                            () -> recordStart(begun), task -> daemon(task).start())
                    .exceptionally(this::explain);
        } catch (OutOfMemoryError noThread) {
            // The end of the run will be recorded.
            explain(noThread);
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "holdfast-history");
        thread.setDaemon(true);
        return thread;
    }

    /** The start of a command that has ended meanwhile is recorded with its end. */
    private void recordStart(PastRun begun) {
        if (once.isEmpty()) {
            locks.forEach(LockHistory::read);
        }
        for (int attempt = 1;
                attempt < START_ATTEMPTS && !isOver(Durations.times(LockHistory.RETRY_PAUSE, attempt - 1));
                attempt++) {
            if (locks.stream().allMatch(lock -> mayWrite(lock) && write(lock, begun))) {
                return;
            }
            locks.stream().filter(lock -> !mayWrite(lock)).forEach(LockHistory::read);
        }
    }

    /** Returns whether the command ends within this time. */
    private boolean isOver(Duration limit) {
        try {
            return end.await(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** Records the end of the command while the lock is still held. */
    public void ended(int code) throws InterruptedException {
        end.countDown();
        ThreadWait.park(reading, Durations.FOREVER);
        ThreadWait.resultOf(reading);
        boolean isLost = lease.state() == LeaseState.LOST;
        record(new PastRun.Outcome(Instant.now(), code, isLost));
    }

    private void record(PastRun.Outcome outcome) throws InterruptedException {
        PastRun begun = run;
        if (begun == null) {
            return;
        }
        PastRun over = begun.ended(outcome);
        run = over;
        try {
            boolean mustBeConfirmed = once.isPresent() && over.isSuccess();
            isUnconfirmed = mustBeConfirmed && !confirm(over);
            if (!mustBeConfirmed && !isRecorded(over)) {
                terminal.detail("the run was not recorded: too few servers know the past runs, or store this one");
            }
        } catch (RuntimeException e) {
            explain(e);
        }
    }

    /** Returns whether a majority has recorded the end of the run, after a few attempts. */
    private boolean isRecorded(PastRun over) {
        for (int attempt = 0; attempt < END_ATTEMPTS; attempt++) {
            locks.stream().filter(lock -> !mayWrite(lock)).forEach(LockHistory::read);
            if (locks.stream().allMatch(lock -> mayWrite(lock) && write(lock, over))) {
                return true;
            }
        }
        return false;
    }

    /** Repeats the write until a majority has confirmed it. */
    private boolean confirm(PastRun over) throws InterruptedException {
        long start = System.nanoTime();
        while (!write(locks.get(0), over)) {
            if (System.nanoTime() - start > LockHistory.RETRY_LIMIT.toNanos()) {
                return false;
            }
            Thread.sleep(LockHistory.RETRY_PAUSE.toMillis());
        }
        return true;
    }

    /** While another server may have a later history, a write would hide its runs. */
    private boolean mayWrite(LockHistory lock) {
        return once.isPresent() || lock.isLatest();
    }

    private boolean write(LockHistory lock, PastRun state) {
        return lock.write(state, once.map(OncePer::keep).orElse(PastRuns.SHORTEST_KEEP), once.isPresent());
    }

    private @Nullable Void explain(Throwable failure) {
        terminal.detail("the run was not recorded: " + failure.getMessage());
        return null;
    }

    /**
     * Returns the exit code of the run after the release of the lock. Corrects the record if the release has found that
     * the lock was lost while the command ran.
     */
    public int released(int code, boolean isLost) {
        PastRun over = run;
        boolean isRecordedAsLost =
                over != null && over.outcome().filter(PastRun.Outcome::lost).isPresent();
        if (isLost && !isRecordedAsLost && over != null) {
            over.outcome().ifPresent(end -> correct(over, end));
        }
        if (!isUnconfirmed || isLost) {
            return code;
        }
        terminal.print("the command has succeeded, but too few servers have recorded it, so it may run again in this"
                + " period under '" + lease.resource() + "'");
        return code == ExitCode.OK ? unrecordedCode : code;
    }

    private void correct(PastRun over, PastRun.Outcome end) {
        PastRun lost = over.ended(new PastRun.Outcome(end.end(), end.code(), true));
        locks.stream().filter(this::mayWrite).forEach(lock -> write(lock, lost));
    }
}
