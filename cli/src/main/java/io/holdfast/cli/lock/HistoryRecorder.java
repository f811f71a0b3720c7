package io.holdfast.cli.lock;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.output.HolderNote;
import io.holdfast.cli.output.Terminal;
import io.holdfast.jobs.JobRecorder;
import io.holdfast.jobs.JobRule;
import io.holdfast.jobs.JobRun;
import io.holdfast.lease.ClientDescription;
import io.holdfast.lease.LeaseState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Records a run beside its locks. A record that cannot be written changes no exit code, unless {@code --once-per}
 * depends on it.
 */
public final class HistoryRecorder {

    private final JointLease lease;
    private final JobRule rule;
    private final List<JobRecorder> locks;
    private final int unrecordedCode;
    private final Terminal terminal;
    private boolean isUnconfirmed;
    private boolean isRecordedAsLost;

    /**
     * Creates a recorder for a lease of this client that has just been granted.
     *
     * @param unrecordedCode the exit code if too few servers have recorded a success that {@code --once-per} needs
     */
    public HistoryRecorder(JointLease lease, JobRule rule, int unrecordedCode, Terminal terminal) {
        this.lease = lease;
        this.rule = rule;
        this.locks = lease.recorders(rule);
        this.unrecordedCode = unrecordedCode;
        this.terminal = terminal;
    }

    /** Returns the lease. */
    public JointLease lease() {
        return lease;
    }

    /**
     * Returns when the command started that has succeeded in this period; empty if the command has to run.
     *
     * @param program the program of this run
     */
    public Optional<Instant> success(String program) throws InterruptedException {
        return rule.isOncePerPeriod()
                ? OncePer.success(locks.get(0).decide(), lease.resource(), program, terminal)
                : Optional.empty();
    }

    /**
     * Records the start of the command, without waiting for the servers, and names the holder beside the locks.
     *
     * @param pid the process id that the user sees
     */
    public void started(String program, long pid, Duration waited) {
        JobRun.Runner runner = new JobRun.Runner(
                System.getProperty("user.name"), ClientDescription.host(), pid, program, JobRun.Runner.COMMAND);
        locks.forEach(lock -> lock.started(runner, waited));
        try {
            lease.annotate(HolderNote.of(program, pid));
        } catch (OutOfMemoryError noMemory) {
            terminal.detail("the holder was not named: " + noMemory.getMessage());
        }
    }

    /** Records the end of the command while the lock is still held. */
    public void ended(int code) {
        isRecordedAsLost = lease.state() == LeaseState.LOST;
        JobRun.Outcome end = JobRun.Outcome.ofExitCode(Instant.now(), code, isRecordedAsLost);
        List<Boolean> recorded =
                locks.stream().map(lock -> lock.ended(end.status(), end.text())).toList();
        boolean isRecorded = !recorded.contains(false);
        boolean mustBeConfirmed = rule.isOncePerPeriod() && end.status() == JobRun.Status.SUCCEEDED;
        isUnconfirmed = mustBeConfirmed && !isRecorded;
        if (!mustBeConfirmed && !isRecorded) {
            terminal.detail("the run was not recorded: too few servers know the past runs, or store this one");
        }
    }

    /**
     * Returns the exit code of the run after the release of the lock. Corrects the record if the release has found that
     * the lock was lost while the command ran.
     */
    public int released(int code, boolean isLost) {
        if (isLost && !isRecordedAsLost) {
            locks.forEach(JobRecorder::lost);
        }
        if (!isUnconfirmed || isLost) {
            return code;
        }
        terminal.print("the command has succeeded, but too few servers have recorded it, so it may run again in this"
                + " period under '" + lease.resource() + "'");
        return exitCode(code);
    }

    /** Returns the exit code of a run whose command had this one, after {@link #ended}. */
    public int exitCode(int code) {
        return isUnconfirmed && code == ExitCode.OK ? unrecordedCode : code;
    }
}
